#!/bin/sh
# Copies the files that one program needs at run time into a folder: its built code, its migrations and pages, and its
# packages, without those that serve only building and testing. Run in the root of a built tree.
#
#   sh deploy/pack.sh <service|sandbox> <folder>
set -eu
service=${1:?which program}
to=${2:?to which folder}
folder=services/$service
with='-w cofrectl'
if [ "$service" = sandbox ]; then folder=sandbox with=''; fi
if [ ! -f "$folder/package.json" ]; then
  echo "there is no program \"$service\": SERVICE is a folder of services/, or sandbox" >&2
  exit 1
fi

mkdir -p "$to"
cp package-lock.json .npmrc "$to"
for package in package.json */package.json */*/package.json; do
  case $package in node_modules/*) continue ;; esac
  mkdir -p "$to/$(dirname "$package")"
  cp "$package" "$to/$package"
done
# Optional packages are binaries of tools for a platform, and install scripts belong to those.
(cd "$to" && npm ci --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund --prefer-offline -w "$folder" $with)

# Copies those of our own packages that npm linked, each with its run-time files.
for link in "$to"/node_modules/@cofre/*; do
  own=$(realpath --relative-to "$to" "$link")
  for part in dist migrations views; do
    if [ -d "$own/$part" ]; then cp -r "$own/$part" "$to/$own/$part"; fi
  done
done
if [ "$service" != sandbox ]; then cp -r proto "$to/proto"; fi # server reflection and cofrectl read it
for package in "$to"/*/package.json "$to"/*/*/package.json; do
  case $package in "$to"/node_modules/*) continue ;; esac
  if [ ! -d "$(dirname "$package")/dist" ]; then rm -r "$(dirname "$package")"; fi
done
find "$to" -type d -empty -delete
find "$to" \( -name '*.d.ts' -o -name '*.tsbuildinfo' -o -name '.package-lock.json' \) -type f -delete
rm -rf "$to/package-lock.json" "$to/.npmrc" "$to/node_modules/.bin"

mkdir "$to/bin"
echo "require('./$folder/dist/main.js')" >"$to/main.js"
program() {
  printf '#!/usr/local/bin/node\n%s\n' "$2" >"$to/bin/$1"
  chmod 755 "$to/bin/$1"
}
if [ "$service" = sandbox ]; then
  program health "fetch(\`http://127.0.0.1:\${process.env.SANDBOX_PORT}/healthz\`, { signal: AbortSignal.timeout(2000) })
  .then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"
else
  program health "require('../packages/platform/dist/grpc/health-probe.js').main()"
  program cofrectl "require('../cofrectl/dist/main.js')"
fi
