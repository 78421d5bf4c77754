import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { TOPICS } from '@cofre/api/events'
import type { ServedService } from '@cofre/platform/grpc/server'
import { calledBy, callersOf, SERVICE_NAMES, services } from '@cofre/platform/service/services'
import { generatedFiles } from '../deploy/src/generated-files'
import { partnersAllowed } from '../local/src/partners'

// The services are listed once, in this table: all other lists are generated from it.
const TABLE = 'packages/platform/src/service/services.ts'
/** These files name services one by one, each for its own reason; a new service need not be added there. */
const OWN_WORDS: Record<string, string> = {
  'cofrectl/src/admin-client.ts':
    'the contract of each service that cofrectl calls: one that is missing does not compile',
  'cofrectl/src/connection.ts':
    'the flag of each service that cofrectl calls: one that is missing does not compile',
  'packages/api/src/scopes.ts': 'the resources of the API, which scopes name',
  'services/gateway/src/portal/new-token.ts': 'the resources of the API, which scopes name',
  'bench/src/settled.ts': 'the services whose events a measured call makes',
  'package.json': 'what the product does, in a sentence',
  'cofrectl/test/cofrectl.test.ts': 'stand-ins, each by its own contract',
  'test/rights/scopes.test.ts': 'the resources of the API, which scopes name',
  'services/gateway/src/docs/openapi-tags.ts': 'the resources of the API, as groups of the document',
  'packages/api/src/events.ts': 'topics, each by the service that publishes there',
  'services/vault/src/server.ts': 'who may call which RPC',
  'services/gateway/src/clients.ts': 'clients, each by its own contract',
  'services/gateway/test/portal/portal-system.ts': 'stand-ins, each by its own contract',
  'services/gateway/test/support/gateway.ts':
    'stand-ins, each by its own contract: one that is missing does not compile',
  'test/killed/points.ts': 'who takes part in which call and commit',
  'test/restored/product.ts': 'whose databases are lost',
  'test/tidy-services.test.ts': 'lists that must be found',
  'k8s/cofre/ci/full.yaml': 'values that are different for some services',
  'k8s/verify/node/values.yaml': 'values that are different for some services',
}

const root = join(__dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const generated = generatedFiles(root)
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
}).split('\n')
const readable = files.filter(
  (path) =>
    /\.(ts|js|mjs|json|ya?ml|tpl|sh|sql)$/.test(path) &&
    path !== 'package-lock.json' &&
    existsSync(join(root, path)),
)

const NAME = SERVICE_NAMES.map((name) => name.replace('-', '[-_]')).join('|')
const BETWEEN = String.raw`(?:[^\w\n.]|\n\s*)+`
/** `['vault', 'orders', 'notifier']`, `gateway|vault|orders`, `in gateway vault orders`. */
const IN_A_ROW = new RegExp(`(?<![\\w-])(${NAME})${BETWEEN}(${NAME})${BETWEEN}(${NAME})(?![\\w-])`, 'i')
/** `vault: …`, `orders: …`, `notifier: …`: keys of one object stand at one depth. */
const KEY = new RegExp(`^( *)(?:- )?['"]?(${NAME})['"]?:`, 'gim')

function listsServices(text: string): boolean {
  const depths = new Map<string, Set<string>>()
  for (const [, depth = '', name = ''] of text.matchAll(KEY)) {
    depths.set(depth, (depths.get(depth) ?? new Set()).add(name.toLowerCase()))
  }
  const row = IN_A_ROW.exec(text)
    ?.slice(1)
    .map((name) => name.toLowerCase())
  return new Set(row).size === 3 || [...depths.values()].some((names) => names.size >= 3)
}

test('only the table and the files generated from it list the services', () => {
  const listing = readable.filter((path) => !(path in generated) && listsServices(read(path)))
  expect(listing.filter((path) => !(path in OWN_WORDS))).toEqual([TABLE])
  expect(Object.keys(OWN_WORDS).filter((path) => !listing.includes(path))).toEqual([])
})

test.each([
  "const NAMES = ['vault', 'orders', 'notifier']",
  'for service in gateway vault orders; do',
  'up{job=~"gateway|vault|orders"}',
  'vault:\n  calls: []\norders:\n  calls: [vault]\nnetwork-token:\n  calls: []\n',
  '[\n  "vault",\n  "orders",\n  "gateway"\n]',
])('a list is found: %s', (text) => expect(listsServices(text)).toBe(true))

test.each(Object.entries(generated))('%s is as the table generates it', (path, text) => {
  expect(existsSync(join(root, path)) && read(path)).toBe(text)
})

test('the folders of services/ and the rows of the table are the same services', () => {
  const folders = readable.flatMap((path) => /^services\/([^/]+)\/package\.json$/.exec(path)?.slice(1) ?? [])
  expect(folders.sort()).toEqual(SERVICE_NAMES.toSorted())
})

test('a service stands in the table after the services that it calls, so no calls go in a circle', () => {
  const late = SERVICE_NAMES.flatMap((name, at) =>
    services[name].calls.filter((other) => SERVICE_NAMES.slice(at).some((each) => each === other)),
  )
  expect(late).toEqual([])
})

/** The certificate names that a service's server.ts admits to any of its RPCs. */
async function admittedBy(service: string): Promise<string[]> {
  const server = (await import(join(root, 'services', service, 'src/server'))) as Record<string, unknown>
  const serve = Object.values(server).find((each) => typeof each === 'function') as (
    deps: object,
  ) => ServedService[]
  return serve({}).flatMap(({ callers }) => Object.values(callers).flat())
}

test.each(SERVICE_NAMES)('%s admits its callers in the table, and nobody else', async (name) => {
  expect([...new Set(await admittedBy(name))].sort()).toEqual(callersOf(name).sort())
})

const sourceOf = (name: string) =>
  readable
    .filter((path) => path.startsWith(`services/${name}/src/`))
    .map(read)
    .join('\n')

test.each(SERVICE_NAMES)(
  '%s uses its topics in the table, and takes its keys from the settings that the table names',
  (name) => {
    const source = sourceOf(name)
    const { publishes = [], reads = [], seals, fingerprints } = services[name]
    const named = Object.entries(TOPICS).filter(([owner]) =>
      new RegExp(`TOPICS(\\.|\\[')${owner}\\b`).test(source),
    )
    const used = [...source.matchAll(/'([a-z-]+\.v\d+)'/g)].map(([, topic]) => topic)
    const topics = [...used, ...named.map(([, topic]) => topic)]
    expect(new Set(topics)).toEqual(new Set([...publishes, ...reads]))
    if (seals) expect(source).toContain(`${seals.setting}:`)
    if (fingerprints) expect(source).toContain(`${fingerprints.setting}:`)
  },
)

test('only services of the table may call partners', () => {
  const callers = Object.values(partnersAllowed(root)).flatMap(
    (partner) => (partner as { callers: string[] }).callers,
  )
  expect(callers.filter((caller) => !SERVICE_NAMES.some((name) => name === caller))).toEqual([])
})

test.each(SERVICE_NAMES)('docs/operations.md says who calls %s, and whom it calls', (name) => {
  const row = read('docs/operations.md')
    .split('\n')
    .find((line) => line.startsWith(`| ${name} | `))
  const [, , callers = '', called = ''] = row?.split('|') ?? []
  const servicesIn = (cell: string) =>
    cell.split(/[^a-z-]+/).filter((word) => SERVICE_NAMES.some((one) => one === word))
  expect(servicesIn(called).sort()).toEqual([...calledBy(name)].map(String).sort())
  expect(servicesIn(callers).sort()).toEqual(
    callersOf(name)
      .filter((caller) => caller !== 'cofrectl')
      .sort(),
  )
})
