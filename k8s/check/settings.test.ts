import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { componentOf, workloadsOf, type Container, type Manifest, type Workload } from './manifest'
import { partnersFor } from '../../local/src/partners'
import { addressSettingOf, SERVICE_NAMES, services, type ServiceName } from '@cofre/platform/service/services'
import { describeChart, render, VALUES } from './render'

const ROOT = join(__dirname, '../..')
const MOUNTED = '/etc/cofre'
const KEY = Buffer.alloc(32, 7).toString('base64')

/** A valid value of each entry in the Secrets and ConfigMaps that a deployment provides. */
const BROUGHT: Record<string, string> = {
  'acquirer-webhook-secret': 'a-secret-of-the-url-that-the-acquirer-calls',
  'database-url': 'postgres://role:word@database.example.com/name',
  'event-log-url': 'postgres://role:word@database.example.com/event_log',
  'mongodb-url': 'mongodb://role:word@mongodb.example.com/history',
  'smtp-url': 'smtps://cofre:word@mail.example.com',
  'token-service-secret': `whsec_${KEY}`,
  'bank-secret': `whsec_${KEY}`,
  'key-encryption-keys': `2026-1:${KEY}\n`,
  'fingerprint-keys': `2026-1:${KEY}\n`,
  'state-keys': `2026-1:${KEY}\n`,
}

let folder: string
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'cofre-chart-'))))
afterEach(() => rmSync(folder, { recursive: true }))

function dataOf(manifests: readonly Manifest[], kind: string, name: string): Record<string, string> {
  const { data = {} } = manifests.find((each) => each.kind === kind && each.metadata.name === name) ?? {}
  if (kind !== 'Secret') return data
  return Object.fromEntries(
    Object.entries(data).map(([key, text]) => [key, Buffer.from(text, 'base64').toString()]),
  )
}

const inFolder = (text: string) => text.replaceAll(MOUNTED, folder)

/** Writes the files that would be mounted under /etc/cofre. */
function mount(manifests: readonly Manifest[], { pod }: Workload): void {
  for (const { secret, configMap } of pod.volumes?.flatMap(({ projected }) => projected?.sources ?? []) ??
    []) {
    const { name = '', items = [] } = secret ?? configMap ?? {}
    const data = dataOf(manifests, secret ? 'Secret' : 'ConfigMap', name)
    for (const { key, path } of items) {
      const file = join(folder, path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, inFolder(data[key] ?? BROUGHT[key] ?? KEY))
    }
  }
}

/** Returns the environment of a container. */
function environmentOf(manifests: readonly Manifest[], { env = [], envFrom = [] }: Container) {
  const maps = envFrom.flatMap(({ configMapRef }) =>
    Object.entries(dataOf(manifests, 'ConfigMap', configMapRef?.name ?? '')),
  )
  const single = env.map(({ name, value, valueFrom }) => [
    name,
    value ?? BROUGHT[valueFrom?.secretKeyRef?.key ?? ''],
  ])
  const all = Object.fromEntries([...maps, ...single]) as Record<string, string>
  return Object.fromEntries(Object.entries(all).map(([name, value]) => [name, inFolder(value)]))
}

async function readerOf(service: string): Promise<(env: NodeJS.ProcessEnv) => unknown> {
  const config = (await import(join(ROOT, 'services', service, 'src/config'))) as Record<string, unknown>
  const reader = Object.entries(config).find(([name]) => /^read\w*(Config|Settings)$/.test(name))?.[1]
  if (typeof reader !== 'function') throw new Error(`${service} has no function that reads its settings`)
  return reader as (env: NodeJS.ProcessEnv) => unknown
}

/** Returns the names of settings in the source of a service and of the platform, and the addresses of its callees. */
function wordsOf(service: ServiceName): Set<string> {
  const folders = [join(ROOT, 'services', service, 'src'), join(ROOT, 'packages/platform/src')]
  const texts = folders.flatMap((path) =>
    readdirSync(path, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => readFileSync(join(path, file), 'utf8')),
  )
  const addresses = services[service].calls.map((other) => addressSettingOf(other as ServiceName))
  return new Set([...addresses, ...(texts.join('\n').match(/\b[A-Z][A-Z0-9_]+\b/g) ?? [])])
}

describeChart('the settings that the chart gives', () => {
  const deployed = VALUES.flatMap((values) =>
    SERVICE_NAMES.map((service) => ({ component: service as string, service, values })),
  )
  const pages = { component: 'gateway-pages', service: 'gateway', values: 'full' } as const
  test.each([...deployed, pages])(
    '$component accepts its settings and knows each one: $values',
    async ({ component, service, values }) => {
      const manifests = render(values)
      const workload = workloadsOf(manifests).find(
        ({ manifest, labels }) => manifest.kind === 'Deployment' && componentOf(labels) === component,
      )
      if (!workload) throw new Error(`${component} is not deployed`)
      mount(manifests, workload)
      const [environment = {}] = workload.pod.containers.map((container) =>
        environmentOf(manifests, container),
      )

      const read = await readerOf(service)
      expect(() => read(environment)).not.toThrow()
      const words = wordsOf(service)
      expect(Object.keys(environment).filter((name) => !words.has(name))).toEqual([])
    },
  )

  test.each(SERVICE_NAMES)('%s migrates with the URL of its database and nothing else', (service) => {
    const main = join(ROOT, 'services', service, 'dist/main.js')
    const { stderr } = spawnSync(process.execPath, [main, 'migrate'], { env: {}, encoding: 'utf8' })
    expect(stderr.trim()).toBe('settings:\n  DATABASE_URL is missing')
  })

  test('the chart allows partners the same requests as `npm start`', () => {
    const somewhere = {
      acquirer: 'https://a.example.com',
      'acquirer-queries': 'https://q.example.com',
      'token-service': 'https://t.example.com',
    }
    const local = partnersFor(ROOT, somewhere, '')
    const chart = JSON.parse(
      dataOf(render('full'), 'ConfigMap', 'cofre-vault-partners')['partners.json'] ?? '',
    ) as Record<string, object>
    const placeless = ([name, partner]: [string, object]) => [name, { ...partner, url: '', caFile: '' }]

    const sentTo = (partners: object) => Object.fromEntries(Object.entries(partners).map(placeless))
    expect(sentTo(chart)).toEqual(sentTo(local))
  })

  test('a missing setting is reported as by the service', async () => {
    const read = await readerOf('vault')
    expect(() => read({})).toThrow(/TLS_CA_FILE is missing/)
  })
})
