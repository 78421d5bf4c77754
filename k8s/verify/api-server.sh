# Functions that start a real control plane; to be sourced. They use `bin` (the programs), `chart` (its folder), `state`
# (a folder for their files) and `address` (of the API server). The file `running` lists the started process ids.

# Runs a program of `bin` in the background, with its output in `state`.
background() {
  local name=$1; shift
  "$@" >"$state/$name.log" 2>&1 &
  echo $! >>"$state/running"
}

# Waits until a command succeeds; otherwise says what is missing.
await() {
  local what=$1 seconds=$2; shift 2
  local until=$((SECONDS + seconds))
  until "$@" >/dev/null 2>&1; do
    if [ "$SECONDS" -ge "$until" ]; then
      echo "within ${seconds} s there was no $what" >&2
      return 1
    fi
    sleep 0.2
  done
}

kubectl() { "$bin/kubectl" --kubeconfig "$state/kubeconfig" "$@"; }

start_api_server() {
  local port=${API_PORT:-16443} etcd=${ETCD_PORT:-12379} token
  token=$(openssl rand -hex 16)
  mkdir -p "$state"
  openssl genrsa -out "$state/accounts.key" 2048 2>/dev/null
  openssl rsa -in "$state/accounts.key" -pubout -out "$state/accounts.pub" 2>/dev/null
  echo "$token,admin,admin,system:masters" >"$state/tokens.csv"
  cat >"$state/kubeconfig" <<EOF
apiVersion: v1
kind: Config
current-context: verify
clusters: [{ name: verify, cluster: { server: 'https://$address:$port', insecure-skip-tls-verify: true } }]
users: [{ name: admin, user: { token: $token } }]
contexts: [{ name: verify, context: { cluster: verify, user: admin } }]
EOF
  chmod 600 "$state/kubeconfig" "$state/tokens.csv"
  background etcd "$bin/etcd" --data-dir "$state/etcd" --unsafe-no-fsync --log-level error \
    --listen-client-urls "http://127.0.0.1:$etcd" --advertise-client-urls "http://127.0.0.1:$etcd" \
    --listen-peer-urls "http://127.0.0.1:$((etcd + 1))" --initial-advertise-peer-urls "http://127.0.0.1:$((etcd + 1))" \
    --initial-cluster "default=http://127.0.0.1:$((etcd + 1))"
  background api-server "$bin/kube-all" kube-apiserver --etcd-servers "http://127.0.0.1:$etcd" \
    --cert-dir "$state/certs" --bind-address "$address" --advertise-address "$address" --secure-port "$port" \
    --service-cluster-ip-range 10.96.0.0/16 --service-account-issuer https://verify.invalid \
    --service-account-key-file "$state/accounts.pub" --service-account-signing-key-file "$state/accounts.key" \
    --token-auth-file "$state/tokens.csv" --authorization-mode Node,RBAC --endpoint-reconciler-type none \
    --kubelet-preferred-address-types InternalIP
  await 'API server' 90 kubectl get --raw /readyz
  background controller-manager "$bin/kube-all" kube-controller-manager --kubeconfig "$state/kubeconfig" \
    --leader-elect=false --service-account-private-key-file "$state/accounts.key" \
    --root-ca-file "$state/certs/apiserver.crt" --bind-address 127.0.0.1 --secure-port "$((port + 1))"
  background scheduler "$bin/kube-all" kube-scheduler --kubeconfig "$state/kubeconfig" --leader-elect=false \
    --bind-address 127.0.0.1 --secure-port "$((port + 2))"
  await 'service account' 60 kubectl get serviceaccount default
}

# Lists the services in the table of the chart `$1`.
services_of() { sed -n 's/^\([a-z-]*\):$/\1/p' "$1/files/services.yaml"; }
# Prints the entry of a service's Secret for its row `$3`, `key` (it seals) or `fingerprints`; nothing without one: `$1`
# chart, `$2` service.
entry_of() { sed -n "/^$2:\$/,/^[a-z]/p" "$1/files/services.yaml" | sed -n "/^  $3:\$/,/entry:/s/^ *entry: //p"; }

# Makes an installation's namespaces and Secrets: `$1` namespace, `$2` the function from a name to its database's URL.
bring_secrets() {
  local namespace=$1 url=$2 service entry named
  for each in "$namespace" "$namespace-vault"; do
    kubectl create namespace "$each" >/dev/null
    # Pods that ask for more rights than the chart's are refused.
    kubectl label namespace "$each" pod-security.kubernetes.io/enforce=restricted >/dev/null
  done
  for service in $(services_of "$chart"); do
    entry=$(entry_of "$chart" "$service" key)
    named=$(entry_of "$chart" "$service" fingerprints)
    local into=$namespace key
    if [ "$service" = vault ]; then into=$namespace-vault; fi
    key=$(openssl rand -base64 32)
    # Their keys have names.
    case $service in vault | vouchers) key="verify-1:$key" ;; esac
    kubectl create secret generic "cofre-$service" -n "$into" --from-literal="database-url=$($url "$service")" \
      ${entry:+--from-literal="$entry=$key"} \
      ${named:+--from-literal="$named=verify-1:$(openssl rand -base64 32)"} >/dev/null
  done
  kubectl create secret generic cofre-event-log -n "$namespace" --from-literal="event-log-url=$($url event_log)" >/dev/null
}

# Runs a step and adds a line to the table of results: its duration and the last line of its output.
table=()
step() {
  local name=$1 since=$(date +%s%3N) out; shift
  out=$state/step.log
  local outcome=done
  # In its own shell, which ends with the first command that fails.
  set +e
  (set -e; "$@") >"$out" 2>&1
  if [ $? != 0 ]; then outcome=FAILED; fi
  set -e
  local took=$(($(date +%s%3N) - since))
  local line
  line=$(printf '%-44s %-6s %6d.%d s  %s' "$name" "$outcome" "$((took / 1000))" "$((took % 1000 / 100))" "$(tail -n 1 "$out")")
  table+=("$line")
  echo "$line"
  if [ "$outcome" = FAILED ]; then
    cat "$out" >&2
    return 1
  fi
}
