#!/usr/bin/env bash
# Makes the file system of a small Debian that serves as the node, with podman and containerd. Their changes to files,
# mounts and addresses stay there. It takes about a minute, once.
#
#   k8s/verify/machine.sh <folder>
set -euo pipefail
machine=$(realpath -m "${1:?which folder}")
mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}
packages=podman,crun,containerd,runc,containernetworking-plugins,iptables,iproute2,conntrack,kmod,ca-certificates,util-linux

if [ -x "$machine/usr/bin/podman" ]; then exit 0; fi
echo "making a Debian in $machine"
unfinished=$machine.new
rm -rf "$unfinished" && mkdir -p "$unfinished"
if ! command -v debootstrap >/dev/null; then
  # Only scripts are fetched: nothing is installed here.
  fetched=$(mktemp -d)
  trap 'rm -rf "$fetched"' EXIT
  (cd "$fetched" && apt-get download -qq debootstrap && dpkg -x debootstrap_*.deb .)
  export DEBOOTSTRAP_DIR=$fetched/usr/share/debootstrap PATH=$fetched/usr/sbin:$PATH
fi
# First comes the bare system, which is also the base of the project's images.
debootstrap --variant=minbase bookworm "$unfinished" "$mirror" >"$machine.log"
tar -C "$unfinished" --exclude=./var/cache/apt --exclude=./var/lib/apt/lists --exclude=./dev -cf "$machine.base.tar" .
debootstrap --variant=minbase "--include=$packages" bookworm "$unfinished.more" "$mirror" >>"$machine.log"
rm -rf "$unfinished"
mv "$unfinished.more" "$machine"
