# The operations on the product while charges continue; to be sourced.

# under_load <none|repeat> <command>…: charges run from 3 s before the command until 3 s after. Fails when the command
# failed, or a request of the load did.
under_load() {
  local repeat=$1 code=0; shift
  touch "$state/load"
  load run "$state/load" "$repeat" >"$state/load.log" 2>&1 &
  local loading=$!
  sleep 3
  set +e
  (set -e; "$@")
  code=$?
  set -e
  sleep 3
  rm "$state/load"
  wait "$loading" || code=$?
  cat "$state/load.log"
  return "$code"
}

upgraded() { release upgrade cofre "$chart" -n payments "${values[@]}" --set image.tag=0.1.1 --wait && only_version 0.1.1; }
rolled_back() { release rollback cofre 1 -n payments --wait && only_version 0.1.0; }

# Pods that are being removed may run a while longer.
only_version() {
  local seen
  seen=$(kubectl get pods -A -l app.kubernetes.io/instance=cofre -o json | node -e '
    const pods = JSON.parse(require("fs").readFileSync(0)).items
    for (const { metadata, spec } of pods)
      if (!metadata.deletionTimestamp && !metadata.annotations?.["helm.sh/hook"] && !metadata.ownerReferences?.some(({ kind }) => kind === "Job")) console.log(spec.containers[0].image)')
  sort <<<"$seen" | uniq -c
  ! grep -v ":$1$" <<<"$seen"
}

namespace_of() { if [ "$1" = vault ]; then echo payments-vault; else echo payments; fi; }
pods_of() {
  kubectl get pods -n "$(namespace_of "$1")" -l "app.kubernetes.io/component=$1" --field-selector status.phase=Running \
    -o jsonpath='{.items[*].metadata.name}'
}

# Works like `kubectl drain`: through the eviction API, which checks the budget. A second pod at once is refused.
drained() {
  local service pod namespace refused=0
  for service in $(services_of "$chart"); do
    namespace=$(namespace_of "$service")
    for pod in $(pods_of "$service"); do
      kubectl create --raw "/api/v1/namespaces/$namespace/pods/$pod/eviction" -f - <<EOF 2>&1 | grep -o 'Success\|disruption budget' || true
{"apiVersion": "policy/v1", "kind": "Eviction", "metadata": {"name": "$pod", "namespace": "$namespace"}}
EOF
    done >"$state/evictions"
    [ "$(tr '\n' ' ' <"$state/evictions")" = 'Success disruption budget ' ] || { cat "$state/evictions"; return 1; }
    echo "$service: one pod evicted, the next refused by the budget"
  done
  for service in $(services_of "$chart"); do
    kubectl rollout status -n "$(namespace_of "$service")" "deployment/cofre-$service" --timeout=60s
  done
}

# Kills the program of one pod of a service, as the kernel does when memory runs out.
killed() {
  local service=$1 namespace pod container pid
  namespace=$(namespace_of "$service")
  pod=$(pods_of "$service" | cut -d' ' -f1)
  container=$(kubectl get pod -n "$namespace" "$pod" -o jsonpath='{.status.containerStatuses[0].containerID}')
  pid=$(ctr -n k8s.io task ls | awk -v id="${container#containerd://}" '$1 == id { print $2 }')
  echo "$pod: $(tr '\0' ' ' <"/proc/$pid/cmdline")"
  kill -9 "$pid"
  await "restart of $pod" 30 restarted "$namespace" "$pod"
  kubectl wait -n "$namespace" "pod/$pod" --for=condition=Ready --timeout=60s
}
restarted() { [ "$(kubectl get pod -n "$1" "$2" -o jsonpath='{.status.containerStatuses[0].restartCount}')" -ge 1 ]; }

restarts() {
  kubectl get pods -A -l app.kubernetes.io/instance=cofre --no-headers \
    -o custom-columns=:metadata.name,:status.containerStatuses[0].restartCount | awk '$2 ~ /^[0-9]+$/' >"$state/restarts"
  cat "$state/restarts"
  echo "$(awk '{ sum += $2 } END { print sum + 0 }' "$state/restarts") restarts"
  [ "$(awk '{ sum += $2 } END { print sum + 0 }' "$state/restarts")" = 3 ]
}
