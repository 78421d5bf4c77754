import {
  calledBy,
  hasEvents,
  SERVICE_NAMES,
  services,
  type ServiceName,
} from '@cofre/platform/service/services'
import { difference, networkGraph } from './network-graph'
import type { Manifest } from './manifest'
import { describeChart, render, VALUES, type Values } from './render'

/** The surroundings that a set of values describes. The lists contain the right-hand sides of edges. */
type Around = {
  /** Each service's own database. */
  databases: Record<ServiceName, string>
  /** The servers of the event log and, optionally, of the history; the collector. */
  eventLog: string
  history?: string
  collector?: string
  scrapers?: string
  world: string
  acquirer: string[]
  /** A partner that only the vault calls. */
  tokenService?: string
  receivers: string[]
  mailServer?: string
  administered: boolean
  /** The gateway's pages are a Deployment of their own. */
  split: boolean
}

const DNS = ['kube-system/kube-dns:53/UDP', 'kube-system/kube-dns:53/TCP']

const everyDatabase = (address: string) =>
  Object.fromEntries(SERVICE_NAMES.map((service) => [service, address])) as Record<ServiceName, string>

const AROUND: Record<Values, Around> = {
  minimal: {
    databases: everyDatabase('10.20.0.10/32:5432/TCP'),
    eventLog: '10.20.0.10/32:5432/TCP',
    world: 'world',
    acquirer: ['203.0.113.0/24:443/TCP'],
    receivers: ['0.0.0.0/0:*/TCP', '::/0:*/TCP'],
    administered: false,
    split: false,
  },
  full: {
    databases: {
      ...everyDatabase('10.20.0.10/32:5432/TCP'),
      vault: '10.30.0.12/32:6432/TCP',
      orders: '10.20.0.13/32:5432/TCP',
    },
    eventLog: 'kafka/*:9093/TCP',
    history: '10.20.0.20/32:27017/TCP',
    collector: 'observability/*:4318/TCP',
    scrapers: 'observability/*',
    world: 'ingress-nginx/*',
    acquirer: ['203.0.113.0/24:443/TCP'],
    tokenService: '198.51.100.0/24:8443/TCP',
    receivers: ['0.0.0.0/0:443/TCP', '0.0.0.0/0:8443/TCP', '::/0:443/TCP', '::/0:8443/TCP'],
    mailServer: '10.20.0.25/32:465/TCP',
    administered: true,
    split: true,
  },
  'cert-manager': {
    databases: everyDatabase('10.20.0.10/32:5432/TCP'),
    eventLog: 'kafka/*:9092/TCP',
    scrapers: 'observability/*',
    world: 'world',
    acquirer: ['203.0.113.0/24:443/TCP'],
    receivers: ['0.0.0.0/0:*/TCP', '::/0:*/TCP'],
    administered: false,
    split: false,
  },
}

function tableFor(around: Around): Set<string> {
  const edges = SERVICE_NAMES.flatMap((service) => [
    ...edgesOf(service, service, around),
    // A migration reaches its service's database and nothing else.
    ...[around.databases[service], ...DNS].map((to) => `${service}-migration → ${to}`),
  ])
  if (around.split) edges.push(...edgesOf('gateway-pages', 'gateway', around))
  const gateways = around.split ? ['gateway', 'gateway-pages'] : ['gateway']
  edges.push(
    ...gateways.flatMap((name) => [around.world, 'test'].map((from) => `${from} → ${name}:8080/TCP`)),
  )
  edges.push(...DNS.map((to) => `test → ${to}`))
  if (around.administered) {
    const administered = SERVICE_NAMES.filter((name) => services[name].administered).map(
      (name) => `${name}:50051/TCP`,
    )
    edges.push(...[...administered, ...DNS].map((to) => `cofrectl → ${to}`))
  }
  return new Set(edges)
}

/** Returns the edges of a Deployment of a service. */
function edgesOf(component: string, service: ServiceName, around: Around): string[] {
  return [
    ...calledBy(service).map((to) => `${component} → ${to}:50051/TCP`),
    ...beyond(service, around).map((to) => `${component} → ${to}`),
    ...(around.scrapers ? [`${around.scrapers} → ${component}:9464/TCP`] : []),
  ]
}

/** Returns the targets of a service outside our own services. */
function beyond(service: ServiceName, around: Around): string[] {
  const row = services[service]
  return [
    ...DNS,
    around.databases[service],
    hasEvents(row) ? around.eventLog : undefined,
    row.history ? around.history : undefined,
    around.collector,
    ...(row.partners ? around.acquirer : []),
    row.partners ? around.tokenService : undefined,
    ...(row.receivers ? around.receivers : []),
    row.mails ? around.mailServer : undefined,
  ].filter((to) => to !== undefined)
}

describeChart('the network policies, read as a graph', () => {
  test.each(VALUES)('match the table of calls: %s', (values) => {
    expect(difference(networkGraph(render(values)), tableFor(AROUND[values]))).toEqual([])
  })

  test.each([
    ['notifier', 'vault', 'cofre-vault'],
    ['gateway', 'network-token', 'cofre'],
  ] as const)('an edge that is added on both sides is reported: %s to %s', (caller, callee, namespace) => {
    const manifests = render('minimal')
    const known = services[caller].calls.includes(callee)
    const labels = (component: string) => ({
      'app.kubernetes.io/name': 'cofre',
      'app.kubernetes.io/instance': 'cofre',
      'app.kubernetes.io/component': component,
    })
    const peer = (component: string, inNamespace: string) => ({
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': inNamespace } },
      podSelector: { matchLabels: labels(component) },
    })
    const ports = [{ protocol: 'TCP', port: 50_052 }]
    policyOf(manifests, caller).egress?.push({ to: [peer(callee, namespace)], ports })
    policyOf(manifests, callee).ingress?.push({ from: [peer(caller, 'cofre')], ports })

    expect(known).toBe(caller === 'gateway')
    expect(difference(networkGraph(manifests), tableFor(AROUND.minimal))).toEqual([
      `allowed, but not in the table: ${caller} → ${callee}:50052/TCP`,
    ])
  })

  test('an added edge to an address is reported', () => {
    const manifests = render('minimal')
    policyOf(manifests, 'vault').egress?.push({ to: [{ ipBlock: { cidr: '0.0.0.0/0' } }] })

    expect(difference(networkGraph(manifests), tableFor(AROUND.minimal))).toEqual([
      'allowed, but not in the table: vault → 0.0.0.0/0:*',
    ])
  })

  test('a rule that lost its peers is reported, because it would admit everybody', () => {
    const manifests = render('minimal')
    const [rule] = policyOf(manifests, 'vault').ingress ?? []
    if (rule) rule.from = []

    const found = difference(networkGraph(manifests), tableFor(AROUND.minimal))
    expect(found).toContain('allowed, but not in the table: world → vault:50051/TCP')
  })

  test('a missing policy is reported at both of its ends', () => {
    const manifests = render('minimal').filter(
      ({ kind, metadata }) => kind !== 'NetworkPolicy' || metadata.name !== 'cofre-vault',
    )

    // The vault's namespace still denies everything to everybody.
    const found = difference(networkGraph(manifests), tableFor(AROUND.minimal))
    expect(found).toContain('in the table, but not allowed: gateway → vault:50051/TCP')
    expect(found.filter((edge) => edge.startsWith('allowed'))).toEqual([])
  })
})

function policyOf(manifests: readonly Manifest[], service: ServiceName) {
  const policy = manifests.find(
    ({ kind, metadata }) => kind === 'NetworkPolicy' && metadata.name === `cofre-${service}`,
  )
  if (!policy?.spec) throw new Error(`${service} has no policy`)
  return policy.spec
}
