/** The two halves of the HTTP that the gateway serves: each can run as a Deployment of its own. */
export type Half = 'api' | 'pages'

/** The role of one service among the others and in a deployment. Addresses, files and URLs follow from it. */
export type ServiceRow = {
  /** The services whose RPCs it calls: it gets their addresses, and the network lets it reach them. */
  calls: readonly string[]
  /** Whether cofrectl calls it. */
  administered?: true
  /** Topics of the event log that it appends to, and topics that it consumes. */
  publishes?: readonly string[]
  reads?: readonly string[]
  /** The key that seals its stored secrets: the setting that names the file, and the entry of its Secret. */
  seals?: {
    setting: string
    entry: string
    /** The file holds lines `id:key`, so that keys can be rotated. */
    named?: true
  }
  /**
   * The keys of the fingerprints that distinguish request bodies: the setting that names the file of lines `id:key`,
   * and the entry of its Secret.
   */
  fingerprints?: { setting: string; entry: string }
  /**
   * Serves HTTP to integrators and browsers, on a second port: which half answers below which path. The longest path
   * that a request begins with decides.
   */
  http?: Readonly<Record<`/${string}`, Half>>
  /** Keeps a history: MongoDB, or its own database. */
  history?: true
  /** Writes URLs that integrators read. */
  baseUrl?: true
  /** Refuses addresses that notifications may not go to; OUTBOUND_ALLOWED makes exceptions. */
  outbound?: true
  /** Calls the addresses that sellers name. */
  receivers?: true
  /** Calls partners, each as its file in `partners/` allows. */
  partners?: true
  /** Knows the voucher brands, which are a setting. */
  brands?: true
  /** Sends e-mails, where a mail server is set up. */
  mails?: true
  /** Takes the pushes of the token service, which the gateway receives. */
  pushes?: true
  /** Registers boletos at the sellers' bank, and takes the bank's notices, which the gateway receives. */
  slips?: true
  /** Settings for partners played by the sandbox: an operation whose answer was lost is resolved within seconds. */
  withSandbox?: Readonly<Record<string, string>>
}

type Rows<Row extends Record<string, ServiceRow>> = {
  [Name in keyof Row]: { calls: readonly (keyof Row)[] }
}

function table<const Row extends Record<string, ServiceRow>>(rows: Row & Rows<Row>): Row {
  return rows
}

/** Every service, once, after those that it calls: no calls go in a circle. Other lists of services come from here. */
const rows = table({
  vault: {
    calls: [],
    administered: true,
    seals: { setting: 'KEY_ENCRYPTION_KEYS_FILE', entry: 'key-encryption-keys', named: true },
    partners: true,
  },
  'network-token': {
    calls: ['vault'],
    publishes: ['network-token.v1'],
    pushes: true,
    withSandbox: { RESOLVE_MAX_MS: '3000', ABSENCE_GRACE_MS: '3000' },
  },
  orders: {
    calls: ['vault', 'network-token'],
    administered: true,
    publishes: ['orders.v1', 'disputes.v1'],
    // It may take 11 s to learn that a lost operation did not happen: all are resolved within 15 s.
    withSandbox: { RESOLVE_MAX_MS: '3000', ABSENCE_GRACE_MS: '3000' },
  },
  vouchers: {
    calls: ['vault'],
    administered: true,
    publishes: ['vouchers.v1', 'voucher-payments.v1'],
    seals: { setting: 'STATE_KEYS_FILE', entry: 'state-keys', named: true },
    baseUrl: true,
    brands: true,
    withSandbox: { RESOLVE_MAX_MS: '3000', ABSENCE_GRACE_MS: '3000' },
  },
  invoices: {
    calls: ['vault', 'network-token', 'orders'],
    administered: true,
    publishes: ['invoices.v1', 'receipts.v1', 'recurring-invoices.v1'],
    reads: ['orders.v1', 'disputes.v1'],
    baseUrl: true,
    mails: true,
    slips: true,
    withSandbox: {
      EMAIL_RETRY_FIRST_MS: '1000',
      RESOLVE_MAX_MS: '3000',
      ABSENCE_GRACE_MS: '3000',
      BOLETOS_PAYABLE: 'false',
      BILLING_CLOCK: 'movable',
    },
  },
  notifier: {
    calls: [],
    reads: [
      'orders.v1',
      'disputes.v1',
      'network-token.v1',
      'vouchers.v1',
      'voucher-payments.v1',
      'invoices.v1',
      'receipts.v1',
      'recurring-invoices.v1',
    ],
    seals: { setting: 'SECRET_KEY_FILE', entry: 'secret-key' },
    history: true,
    baseUrl: true,
    outbound: true,
    receivers: true,
  },
  gateway: {
    calls: ['vault', 'network-token', 'orders', 'vouchers', 'invoices', 'notifier'],
    administered: true,
    seals: { setting: 'TOKEN_KEY_FILE', entry: 'token-key' },
    fingerprints: { setting: 'FINGERPRINT_KEYS_FILE', entry: 'fingerprint-keys' },
    http: {
      '/': 'api',
      '/boletos': 'pages',
      '/checkout': 'pages',
      '/buy': 'pages',
      '/logos': 'pages',
      // Brands lead cardholders back to a page. Other partners push events.
      '/partners': 'pages',
      '/partners/acquirer': 'api',
      '/partners/bank': 'api',
      '/partners/pix': 'api',
      '/partners/token-service': 'api',
      '/pix': 'pages',
      '/portal': 'pages',
    },
    history: true,
    baseUrl: true,
    outbound: true,
  },
})

export type ServiceName = keyof typeof rows
/** The services that one service calls. */
export type CalledBy<Name extends ServiceName> = (typeof rows)[Name]['calls'][number]
/** The services that cofrectl calls. */
export type Administered = {
  [Name in ServiceName]: (typeof rows)[Name] extends { administered: true } ? Name : never
}[ServiceName]
/** The certificate names by which our own programs know each other. */
export type Caller = ServiceName | 'cofrectl'

export const services: Readonly<Record<ServiceName, ServiceRow>> = rows
export const SERVICE_NAMES = Object.keys(rows) as ServiceName[]

export function calledBy<Name extends ServiceName>(name: Name): readonly CalledBy<Name>[] {
  return rows[name].calls
}

/** Who may call a service, by certificate name. */
export function callersOf(name: ServiceName): Caller[] {
  const callers: Caller[] = SERVICE_NAMES.filter((other) => services[other].calls.includes(name))
  return services[name].administered ? [...callers, 'cofrectl'] : callers
}

/** True when a service needs the event log. */
export function hasEvents({ publishes = [], reads = [] }: ServiceRow): boolean {
  return publishes.length + reads.length > 0
}

/** A service's database, and the role that owns it. */
export function databaseOf(name: ServiceName): string {
  return name.replaceAll('-', '_')
}

/** The setting that holds the address of a service: NETWORK_TOKEN_ADDRESS. */
export function addressSettingOf(name: ServiceName): string {
  return `${name.toUpperCase().replaceAll('-', '_')}_ADDRESS`
}

/** Groups of services that may stop together: a service stops after those that call it. */
export function stopStages(): ServiceName[][] {
  const stages: ServiceName[][] = []
  const stageOf = (name: ServiceName) => stages.findIndex((stage) => stage.includes(name))
  for (const name of SERVICE_NAMES.toReversed()) {
    const callers = SERVICE_NAMES.filter((other) => services[other].calls.includes(name))
    const stage = Math.max(-1, ...callers.map(stageOf)) + 1
    ;(stages[stage] ??= []).push(name)
  }
  return stages
}
