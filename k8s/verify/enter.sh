#!/usr/bin/env bash
# Runs a command in the machine that machine.sh made, with its own mounts and processes, which end with it. With
# --own-network it also has its own addresses and firewall rules, without a route to the outside.
#
#   k8s/verify/enter.sh <machine> [--own-network] [--bind <folder>=<where>]… -- <command>…
set -euo pipefail
export MACHINE=$(realpath "$1") BINDS='' OWN_NETWORK=''
shift
while [ "$1" != -- ]; do
  case $1 in
    --own-network) OWN_NETWORK=yes ;;
    --bind) shift; BINDS+="$1"$'\n' ;;
    *) echo "unknown: $1" >&2; exit 2 ;;
  esac
  shift
done
shift
[ "$(id -u)" = 0 ] || { echo 'This makes namespaces and mounts: run it as root.' >&2; exit 2; }

inside() {
  set -euo pipefail
  mount --make-rprivate /
  mount --bind "$MACHINE" "$MACHINE"
  cd "$MACHINE"
  mount -t proc proc proc
  mount --rbind /dev dev
  if [ -n "$OWN_NETWORK" ]; then
    # The networks in /sys are those of the process that mounts it.
    mount -t sysfs sysfs sys
    mount --rbind /sys/fs/cgroup sys/fs/cgroup
    : >etc/resolv.conf
  else
    mount --rbind /sys sys
    cat /etc/resolv.conf >etc/resolv.conf
  fi
  # crun accepts a mixture of cgroup v1 and v2 only when v2 has no controllers, and warns about it.
  umount sys/fs/cgroup/unified 2>/dev/null || true
  mount -t tmpfs tmpfs run
  mount -t tmpfs tmpfs tmp
  while IFS='=' read -r from where; do
    [ -n "$from" ] || continue
    if [ -d "$from" ]; then mkdir -p ".$where"; else mkdir -p "$(dirname ".$where")" && touch ".$where"; fi
    mount --bind "$from" ".$where"
  done <<<"$BINDS"
  mkdir -p .before
  pivot_root . .before
  cd /
  umount -l /.before
  export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root
  exec "$@"
}
export -f inside
network=()
if [ -n "$OWN_NETWORK" ]; then network=(--net); fi
exec unshare --mount --pid --ipc --uts --fork --kill-child "${network[@]}" bash -c 'inside "$@"' inside "$@"
