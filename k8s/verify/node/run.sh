#!/usr/bin/env bash
# The part of single-node.sh that runs in the machine.
set -euo pipefail
bin=/verify/bin state=/verify/state chart=/verify/chart
here=/cofre/k8s/verify
. "$here/api-server.sh"
. "$here/node/cluster.sh"
. "$here/node/under-load.sh"
address=$node_address
password=$(openssl rand -hex 16)
export PATH=$bin:$PATH

helm() { "$bin/helm" --kubeconfig "$state/kubeconfig" "$@"; }
release() {
  local said
  if ! said=$(helm "$@" --timeout 180s 2>&1); then
    echo "$said"
    told
    return 1
  fi
  grep -E '^(STATUS|REVISION|Phase|Rollback|release)' <<<"$said" | tr '\n' ' ' | tr -s ' '
}
# Prints the cluster's information about pods that do not start.
told() {
  kubectl get pods -A -o wide
  kubectl get events -A --field-selector type=Warning | tail -20
  for pod in $(kubectl get pods -n payments -o name) ; do
    kubectl logs -n payments "$pod" --tail 5 2>&1 | cut -c1-400
  done
  for pod in $(kubectl get pods -n payments-vault -o name) ; do
    kubectl logs -n payments-vault "$pod" --tail 5 2>&1 | cut -c1-400
  done
}
url() { echo "postgres://$1:$password@$node_address:5432/$1"; }
secrets() { bring_secrets payments url && kubectl get secrets -A --no-headers | wc -l; }
world() {
  local host=sandbox.world.svc.cluster.local
  kubectl create namespace world
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 30 -subj '/CN=the world' \
    -keyout "$state/world.key" -out "$state/world.crt" -addext basicConstraints=critical,CA:TRUE
  openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj '/CN=sandbox' -keyout "$state/sandbox.key" |
    openssl x509 -req -days 30 -CA "$state/world.crt" -CAkey "$state/world.key" -CAcreateserial -out "$state/sandbox.crt" \
      -extfile <(echo "subjectAltName=DNS:$host,DNS:localhost")
  kubectl create secret tls sandbox -n world --cert "$state/sandbox.crt" --key "$state/sandbox.key"
  for each in payments payments-vault; do
    kubectl create configmap world-authority -n "$each" --from-file="ca.crt=$state/world.crt"
  done
  kubectl apply -f "$here/node/sandbox.yaml"
  kubectl rollout status -n world deployment/sandbox --timeout=60s
}
values=(-f "$here/node/values.yaml")
installed() { release install cofre "$chart" -n payments "${values[@]}" --wait; }
pods() {
  kubectl get pods -A --no-headers -o custom-columns=:metadata.namespace,:metadata.name,:status.phase,:spec.containers[0].image
  kubectl get pods -A --no-headers --field-selector status.phase=Running | wc -l
}
ctl() { kubectl exec -n payments deployment/cofre-cofrectl -- cofrectl --json "$@"; }
seller() {
  SELLER=$(ctl seller create --name 'Loja Demo' | node -p 'JSON.parse(require("fs").readFileSync(0)).id')
  kubectl exec -i -n payments deployment/cofre-cofrectl -- cofrectl establishment create --seller "$SELLER" \
    --merchant-id "$(cat /proc/sys/kernel/random/uuid)" --merchant-key-file - <<<"$(openssl rand -hex 20)"
  TOKEN=$(ctl token create --seller "$SELLER" --title verify --all-scopes | node -p 'JSON.parse(require("fs").readFileSync(0)).accessToken')
  printf 'export SELLER=%s TOKEN=%s\n' "$SELLER" "$TOKEN" >"$state/seller"
  echo "seller $SELLER, a token of ${#TOKEN} letters"
}
export BASE_URL=http://cofre-gateway.payments.svc.cluster.local SANDBOX=http://sandbox.world.svc.cluster.local:8090
load() { . "$state/seller"; node "$here/node/load.js" "$@"; }

step "addresses of the machine's own" addresses
step 'PostgreSQL beside the cluster' run_postgres
if [ -d /verify/kafka ]; then
  step 'Kafka beside the cluster' run_kafka
  values+=(-f "$here/node/values-kafka.yaml")
fi
step 'API server, controllers, scheduler' start_api_server
step 'containerd, images of the project' run_containerd
step 'kubelet: the node is ready' run_kubelet
step 'CoreDNS, kube-proxy' run_network
step 'namespaces (Pod Security: restricted), Secrets' secrets
step 'the sandbox, as a pod of its own' world
step 'helm install --wait' installed
step 'pods that run' pods
step 'helm test' release test cofre -n payments
step 'cofrectl in a pod: seller, account, token' seller
step "the first charge, through the gateway's Service" load first
step 'load, and nothing else' under_load none sleep 10
step 'rolling upgrade under load' under_load none upgraded
step 'rollback under load' under_load none rolled_back
step 'drain: a pod of each service, under load' under_load none drained
step 'kill -9 of orders, under load' under_load repeat killed orders
step 'kill -9 of the vault, under load' under_load repeat killed vault
step 'kill -9 of a gateway, under load' under_load repeat killed gateway
step 'no pod was restarted but those killed' restarts
printf '\n%s; containerd %s; node %s; %s\n' "$(kubectl version | tail -1)" "$(containerd --version | cut -d' ' -f3)" \
  "$(kubectl exec -n payments deployment/cofre-cofrectl -- node --version)" "$("$bin/helm" version --short)"
