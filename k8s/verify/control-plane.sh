#!/usr/bin/env bash
# Installs, upgrades, rolls back and tests the chart on a real API server with real controllers and a real scheduler.
# Nodes and pods are kwok's, which only reports that they run. Needs no root, and ends everything that it started.
#
#   k8s/verify/control-plane.sh [values file]
#
# K8S_BIN: the folder of the programs (.run/k8s-bin), which are built when absent. KEEP=1 keeps the logs.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
bin=${K8S_BIN:-$root/.run/k8s-bin}
values=${1:-$root/k8s/cofre/ci/minimal.yaml}
chart=$root/k8s/cofre
state=$(mktemp -d)
address=127.0.0.1
. "$here/api-server.sh"

finish() {
  local code=$?
  # The processes end before their files are removed; until then, the API server writes to etcd.
  tac "$state/running" 2>/dev/null | xargs -r kill 2>/dev/null || true
  for id in $(cat "$state/running" 2>/dev/null); do
    while kill -0 "$id" 2>/dev/null; do sleep 0.1; done
  done
  if [ -n "${KEEP:-}" ]; then echo "logs are in $state"; else rm -rf "$state"; fi
  exit "$code"
}
trap finish EXIT

"$here/binaries.sh" "$bin" | grep -v 'is there$' || true
export PATH=$bin:$PATH
HELM=$(type -P helm) || { echo "helm is needed: k8s/check/tools.sh" >&2; exit 1; }
helm() { "$HELM" --kubeconfig "$state/kubeconfig" "$@"; }

fake_nodes() {
  cat "$bin/kwok-stages.yaml" "$here/kwok-test-pod.yaml" >"$state/stages.yaml"
  background kwok "$bin/kwok" --kubeconfig "$state/kubeconfig" --manage-all-nodes=true --node-lease-duration-seconds 40 --config "$state/stages.yaml"
  for zone in a b c; do
    kubectl apply -f - <<EOF
apiVersion: v1
kind: Node
metadata: { name: fake-$zone, labels: { topology.kubernetes.io/zone: $zone, kubernetes.io/hostname: fake-$zone } }
status: { capacity: { cpu: 8, memory: 16Gi, pods: 110 }, allocatable: { cpu: 8, memory: 16Gi, pods: 110 } }
EOF
  done
  kubectl wait --for=condition=Ready node --all --timeout=60s
}

# Prints the state of the release, or all of helm's output when it failed.
release() {
  local said
  if ! said=$(helm "$@" --timeout 60s 2>&1); then echo "$said"; return 1; fi
  grep -E '^(STATUS|REVISION|Phase|Rollback|release)' <<<"$said" | tr '\n' ' ' | tr -s ' '
}
installed() { release install cofre "$chart" -n payments -f "$values" --wait; }
upgraded() { release upgrade cofre "$chart" -n payments -f "$values" --set image.tag=0.1.1 --wait && images 0.1.1; }
rolled_back() { release rollback cofre 1 -n payments --wait && images 0.1.0; }
# Checks that every pod of a service runs the given version, and none is left of the other.
images() {
  local seen
  settled && seen=$(kubectl get pods -A -l app.kubernetes.io/instance=cofre --field-selector status.phase=Running \
    -o jsonpath='{range .items[*]}{.spec.containers[0].image}{"\n"}{end}' | sort | uniq -c)
  echo "$seen"
  ! grep -v ":$1$" <<<"$seen"
}
settled() {
  for each in payments payments-vault; do
    for deployment in $(kubectl get deployments -n "$each" -o name); do
      kubectl rollout status -n "$each" "$deployment" --timeout=60s >/dev/null || return 1
    done
  done
}
at_least_two() {
  for each in payments payments-vault; do
    kubectl get hpa -n "$each" -o jsonpath='{range .items[*]}{.metadata.name}{" "}{.status.currentReplicas}{"\n"}{end}'
  done | awk '{ print } $2 + 0 < 2 { few = 1 } END { exit few }'
}
same_certificates() {
  local now; now=$(kubectl get secret -n payments cofre-gateway-tls -o jsonpath='{.data.tls\.crt}' | sha256sum)
  local before; before=$(cat "$state/certificate" 2>/dev/null || echo "$now")
  echo "$now" >"$state/certificate"
  echo "the gateway's certificate: ${now:0:16}"
  [ "$before" = "$now" ]
}
# Requests the evictions of a drain: one pod of a service may go, a second one only after its replacement. A fake pod is
# replaced within a tenth of a second, so both are requested at once, and again if the budget was already whole.
evicted() {
  local try pod asked
  for try in 1 2 3 4 5; do
    settled
    : >"$state/evictions"
    asked=()
    for pod in $(kubectl get pods -n payments -l app.kubernetes.io/component=orders -o jsonpath='{.items[*].metadata.name}'); do
      kubectl create --raw "/api/v1/namespaces/payments/pods/$pod/eviction" -f - >>"$state/evictions" 2>&1 <<EOF &
{"apiVersion": "policy/v1", "kind": "Eviction", "metadata": {"name": "$pod", "namespace": "payments"}}
EOF
      asked+=($!)
    done
    for pod in "${asked[@]}"; do wait "$pod" || true; done
    if grep -q Success "$state/evictions" && grep -q 'disruption budget' "$state/evictions"; then break; fi
  done
  grep -o "Cannot evict.*" "$state/evictions"
}
url() { echo "postgres://$1:secret@db.invalid:5432/$1"; }
secrets() { bring_secrets payments url && kubectl get secrets -n payments -o name | wc -l; }
checked() { kubectl get -A deployments,services,networkpolicies,poddisruptionbudgets,hpa --no-headers -l app.kubernetes.io/instance=cofre | wc -l; }
uninstalled() {
  release uninstall cofre -n payments --wait
  kubectl get deployments,services,networkpolicies,hpa -A -l app.kubernetes.io/instance=cofre 2>&1
}

step 'API server, controllers, scheduler' start_api_server
step 'three fake nodes' fake_nodes
step 'namespaces (Pod Security: restricted), Secrets' secrets
step 'helm install --wait' installed
step 'objects of the release' checked
step 'autoscalers raise every service to two' await 'second replica' 60 at_least_two
step 'certificates made by the chart' same_certificates
step 'helm test' release test cofre -n payments
step 'helm upgrade --set image.tag=0.1.1' upgraded
step 'certificates are kept by an upgrade' same_certificates
step 'helm rollback to 1' rolled_back
step 'helm test' release test cofre -n payments
step 'eviction: one pod goes, the next must wait' evicted
step 'helm uninstall' uninstalled
printf '\n%s, kwok %s, helm %s\n' "$(kubectl version | tail -1)" "$("$bin/kwok" --version | tail -1)" "$("$HELM" version --short)"
