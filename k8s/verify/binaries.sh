#!/usr/bin/env bash
# Finds or builds, from the Go module proxy alone, what a real Kubernetes needs: etcd, the control plane, kubelet,
# kubectl, kube-proxy, CoreDNS and kwok. About half an hour on two cores; what is there already is not built again.
#
#   k8s/verify/binaries.sh [folder]      default: .run/k8s-bin
#
# KUBERNETES, ETCD, KWOK and COREDNS choose other versions. NICE (default 10) is how far it steps back for others.
set -euo pipefail
renice -n "${NICE:-10}" $$ >/dev/null

KUBERNETES=${KUBERNETES:-v1.34.4}
ETCD=${ETCD:-v3.6.16}
KWOK=${KWOK:-v0.8.0}
COREDNS=${COREDNS:-v1.15.0}
root=$(cd "$(dirname "$0")/../.." && pwd)
bin=$(realpath -m "${1:-$root/.run/k8s-bin}")
work=$bin/build
mkdir -p "$work"
export GOFLAGS="-p=${BUILD_PROCESSES:-2}" GOBIN=$bin CGO_ENABLED=0

case ${1:-} in -h | --help) sed -n '2,8s/^# \{0,1\}//p' "$0"; exit 0 ;; esac
command -v go >/dev/null || { echo 'Go is needed to build these: https://go.dev/dl' >&2; exit 1; }

# Builds `$1` with the command that follows, unless it exists.
make() {
  local name=$1; shift
  if [ -x "$bin/$name" ]; then printf '%-24s is there\n' "$name"; return; fi
  local since=$SECONDS
  printf '%-24s is being built\n' "$name"
  "$@"
  printf '%-24s took %s s\n' "$name" "$((SECONDS - since))"
}

# Prints the folder of a module in the cache, and fetches it when it is absent.
module() { go mod download -json "$1" | sed -n 's/^\t"Dir": "\(.*\)",$/\1/p'; }

# `go install` refuses a module with replace directives, so small modules of our own build these.
etcd() {
  mkdir -p "$work/etcd" && cd "$work/etcd"
  printf 'module etcd\ngo 1.25\nrequire go.etcd.io/etcd/server/v3 %s\n' "$ETCD" >go.mod
  cat >main.go <<'GO'
package main

import (
	"os"

	"go.etcd.io/etcd/server/v3/etcdmain"
)

func main() { etcdmain.Main(os.Args) }
GO
  go mod tidy
  go build -ldflags '-s -w' -o "$bin/etcd" .
}

# Kubernetes is one module that replaces its own parts: ours requires the published parts of the same version.
wrapper() {
  local from; from=$(module "k8s.io/kubernetes@$KUBERNETES")
  mkdir -p "$work/kubernetes" && cd "$work/kubernetes"
  cp "$from/go.sum" go.sum && chmod u+w go.sum
  sed -e 's/^module .*/module verify/' -e '/^replace (/,/^)/d' \
    -e "s#^\(\tk8s.io/[a-z-]* \)v0\.0\.0\$#\1v0.${KUBERNETES#v1.}#" "$from/go.mod" >go.mod
  printf '\nrequire k8s.io/kubernetes %s\n' "$KUBERNETES" >>go.mod
  for program in kubelet kubectl kube-proxy; do
    mkdir -p "$program"
    local package=k8s.io/kubernetes/cmd/$program/app command='app.New'
    case $program in
      kubelet) command='app.NewKubeletCommand(context.Background())' ;;
      kube-proxy) command='app.NewProxyCommand()' ;;
      kubectl) package=k8s.io/kubectl/pkg/cmd command='cmd.NewDefaultKubectlCommand()' ;;
    esac
    main_of "$package" "$command" >"$program/main.go"
  done
  mkdir -p kube-all
  cat >kube-all/main.go <<'GO'
package main

import (
	"os"

	"github.com/spf13/cobra"
	"k8s.io/component-base/cli"
	_ "k8s.io/component-base/metrics/prometheus/clientgo"
	_ "k8s.io/component-base/metrics/prometheus/version"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	manager "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	scheduler "k8s.io/kubernetes/cmd/kube-scheduler/app"
)

// The three programs of a control plane in one, chosen by the first argument.
func main() {
	programs := map[string]func() *cobra.Command{
		"kube-apiserver":          apiserver.NewAPIServerCommand,
		"kube-controller-manager": manager.NewControllerManagerCommand,
		"kube-scheduler":          func() *cobra.Command { return scheduler.NewSchedulerCommand() },
	}
	name := os.Args[1]
	os.Args = os.Args[1:]
	os.Exit(cli.Run(programs[name]()))
}
GO
}

main_of() {
  local context=''
  case $2 in *context.*) context='"context"' ;; esac
  printf 'package main\n\nimport (\n\t%s\n\t"os"\n\n\t"k8s.io/component-base/cli"\n' "$context"
  printf '\t_ "k8s.io/component-base/metrics/prometheus/clientgo"\n\t"%s"\n)\n\n' "$1"
  printf 'func main() { os.Exit(cli.Run(%s)) }\n' "$2"
}

kubernetes() {
  [ -f "$work/kubernetes/go.mod" ] || wrapper
  cd "$work/kubernetes"
  local version=k8s.io/component-base/version minor=${KUBERNETES#v1.}
  go build -mod=mod -o "$bin/$1" -ldflags "-s -w -X $version.gitVersion=$KUBERNETES
    -X $version.gitMajor=1 -X $version.gitMinor=${minor%%.*}" "./$1"
}

# The program that holds a pod together: it only waits. It is our own image, since none is pulled.
pause() {
  mkdir -p "$work/pause" && cd "$work/pause"
  printf 'module pause\ngo 1.25\n' >go.mod
  cat >main.go <<'GO'
package main

import (
	"os"
	"os/signal"
	"syscall"
)

func main() {
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, syscall.SIGINT, syscall.SIGTERM)
	<-stop
}
GO
  go build -ldflags '-s -w' -o "$bin/pause" .
}

make pause pause
make etcd etcd
make kube-all kubernetes kube-all
make kubelet kubernetes kubelet
make kubectl kubernetes kubectl
make kube-proxy kubernetes kube-proxy
# The life of kwok's fake nodes and pods, from kwok's own files, which its program does not contain.
stages() {
  local from; from=$(module "sigs.k8s.io/kwok@$KWOK")/kustomize/stage
  for file in "$from"/{node/fast,node/heartbeat-with-lease,pod/fast}/{node,pod}-*.yaml; do
    if [ -f "$file" ]; then printf -- '---\n' && cat "$file"; fi
  done >"$bin/kwok-stages.yaml"
}

if [ ! -f "$bin/kwok-stages.yaml" ]; then stages; fi
make kwok go install -ldflags '-s -w' "sigs.k8s.io/kwok/cmd/kwok@$KWOK"
make coredns go install -ldflags '-s -w' "github.com/coredns/coredns@$COREDNS"
rm -rf "$work"
