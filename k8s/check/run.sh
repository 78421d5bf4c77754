#!/usr/bin/env bash
# Checks the chart without a cluster: lint, rendering with each set of values, strict schemas, unit tests, own rules and
# the graph of calls. The tools are found or built by tools.sh, once.
#
#   k8s/check/run.sh
set -euo pipefail
case ${1:-} in -h | --help) sed -n '2,6s/^# \{0,1\}//p' "$0"; exit 0 ;; esac
cd "$(dirname "$0")/../.."

since=$SECONDS
CHECK_TOOLS=$(k8s/check/tools.sh)
export CHECK_TOOLS PATH=$CHECK_TOOLS/bin:$PATH
step() { printf '== %s (%ss)\n' "$1" "$((SECONDS - since))"; }
rendered=$(mktemp -d)
trap 'rm -rf "$rendered"' EXIT
chart=k8s/cofre
kubernetes=1.34.0

for values in "$chart"/ci/*.yaml; do
  name=$(basename "$values" .yaml)
  step "lint and render: $name"
  helm lint --strict --quiet --kube-version "$kubernetes" "$chart" -f "$values"
  helm template cofre "$chart" -n cofre --kube-version "$kubernetes" -f "$values" >"$rendered/$name.yaml"
done

step 'strict schemas'
kind='{{ .ResourceKind }}{{ .KindSuffix }}.json'
kubeconform -strict -summary -kubernetes-version "$kubernetes" \
  -schema-location "$CHECK_TOOLS/schemas/{{ .NormalizedKubernetesVersion }}-strict/$kind" \
  -schema-location "$CHECK_TOOLS/schemas/custom/$kind" "$rendered"

step 'unit tests'
helm-unittest --strict "$chart"

if command -v promtool >/dev/null; then
  step 'alert rules'
  node deploy/dist/main.js --alerts-test "$rendered/service-alerts.yaml"
  promtool test rules k8s/check/alerts.yaml "$rendered/service-alerts.yaml"
else
  echo 'skipped: alert rules, there is no promtool'
fi

step 'own rules, settings and the graph of calls'
node --no-warnings node_modules/jest/bin/jest.js -c k8s/check/jest.config.js

step 'done'
