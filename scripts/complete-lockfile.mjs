// Adds to package-lock.json an entry for every optional, platform-specific package that a registry mirror did not
// list. Without them `npm ci` refuses the file ("Missing: … from lock file"). Then asks the registry for each digest that
// is missing (`integrity`), so that npm installs only the bytes that were meant. Run after an install that changes
// dependencies: `node scripts/complete-lockfile.mjs`; `--check` only reports, offline, with exit code 1.
import { execFileSync } from 'node:child_process'
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

const withoutDigest = () =>
  Object.entries(lock.packages).filter(
    ([path, { link, integrity }]) => path.includes('node_modules/') && !link && integrity === undefined,
  )

if (process.argv.includes('--check')) {
  const bare = withoutDigest()
  for (const path of missing.keys()) process.stderr.write(`not in ${PATH}: ${path}\n`)
  for (const [path] of bare) process.stderr.write(`without integrity: ${path}\n`)
  process.exit(missing.size === 0 && bare.length === 0 ? 0 : 1)
}
for (const [path, entry] of missing) lock.packages[path] = entry
const bare = withoutDigest()
for (const [at, [path, entry]] of bare.entries()) {
  const name = path.split('node_modules/').pop()
  process.stderr.write(`integrity ${at + 1} of ${bare.length}: ${name}\n`)
  lock.packages[path] = withDigest(entry, digestOf(`${name}@${entry.version}`))
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)))
writeFileSync(PATH, `${JSON.stringify(lock, null, 2)}\n`)
process.stdout.write(`${missing.size} entries and ${bare.length} digests added\n`)

function digestOf(spec) {
  const digest = execFileSync('npm', ['view', spec, 'dist.integrity'], { encoding: 'utf8' }).trim()
  if (!digest.startsWith('sha512-')) throw new Error(`the registry has no integrity of ${spec}`)
  return digest
}

/** Returns the entry with its digest behind the version, where npm writes it. */
function withDigest({ version, ...rest }, integrity) {
  return { version, integrity, ...rest }
}

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
