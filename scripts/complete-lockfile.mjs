// Adds to package-lock.json an entry for every optional, platform-specific package that a registry mirror did not
// list. Without them `npm ci` refuses the file ("Missing: … from lock file"). Run after an install that changes
// dependencies: `node scripts/complete-lockfile.mjs`; `--check` only reports, with exit code 1.
import { readFileSync, writeFileSync } from 'node:fs'

const PATH = 'package-lock.json'
const lock = JSON.parse(readFileSync(PATH, 'utf8'))
const missing = new Map()

for (const entry of Object.values(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    const path = `node_modules/${name}`
    if (!lock.packages[path] && /^\d+\.\d+\.\d+/.test(version)) missing.set(path, stub(name, version))
  }
}

if (process.argv.includes('--check')) {
  for (const path of missing.keys()) process.stderr.write(`not in ${PATH}: ${path}\n`)
  process.exit(missing.size === 0 ? 0 : 1)
}
for (const [path, entry] of missing) lock.packages[path] = entry
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)))
writeFileSync(PATH, `${JSON.stringify(lock, null, 2)}\n`)
process.stdout.write(`${missing.size} entries added\n`)

/** Returns an entry from the name, which says which system a package is for: `@swc/core-linux-arm64-gnu`. */
function stub(name, version) {
  const os = [
    'darwin',
    'linux',
    'win32',
    'freebsd',
    'openbsd',
    'android',
    'openharmony',
    'aix',
    'netbsd',
    'sunos',
  ]
  const cpu = ['x64', 'arm64', 'arm', 'ia32', 'ppc64', 's390x', 'riscv64', 'loong64', 'mips64el', 'wasm32']
  const words = name.split(/[-/]/)
  const found = (list) => list.filter((word) => words.includes(word))
  return {
    version,
    optional: true,
    ...(found(os).length > 0 ? { os: found(os) } : {}),
    ...(found(cpu).length > 0 ? { cpu: found(cpu) } : {}),
  }
}
