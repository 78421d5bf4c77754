import { SERVICE_NAMES, type ServiceName } from '@cofre/platform/service/services'
import { UNNAMED } from './commits'
import { seeded } from '@cofre/testing/random'

export type Program = ServiceName | 'postgres'
const PROGRAMS: readonly Program[] = [...SERVICE_NAMES, 'postgres']

/** The program to kill; `all`: every program but the sandbox at once, as when a machine loses power. */
export type Victim = Program | 'all'
export const VICTIMS: readonly Victim[] = [...PROGRAMS, 'all']

export function programsOf(victim: Victim): readonly Program[] {
  return victim === 'all' ? PROGRAMS : [victim]
}

/**
 * The moment in a call or a commit: before it leaves; while the partner works; when it is done and its answer has not
 * been read; right after its answer was read.
 */
export type When = 'before' | 'during' | 'done' | 'told'

/** The victims at each call to a partner: the services that wait for it, and the database under them. */
const CARD_CALLS = {
  sale: ['orders', 'vault', 'gateway', 'invoices', 'postgres', 'all'],
  verify: ['orders', 'vault', 'postgres'],
  capture: ['orders', 'vault', 'gateway', 'postgres', 'all'],
  void: ['orders', 'vault', 'gateway', 'postgres', 'all'],
  query: ['orders', 'vault', 'postgres'],
  notification: ['notifier', 'postgres'],
  'token request': ['network-token', 'vault', 'postgres', 'all'],
  'token query': ['network-token', 'vault', 'postgres'],
  cryptogram: ['orders', 'network-token', 'vault', 'gateway', 'postgres', 'all'],
  'token closing': ['network-token', 'vault', 'gateway', 'postgres'],
} as const satisfies Record<string, readonly Victim[]>

const VOUCHER_CALLS = {
  'voucher payment': ['vouchers', 'vault', 'gateway', 'postgres', 'all'],
  'voucher cancellation': ['vouchers', 'vault', 'gateway', 'postgres'],
  'voucher query': ['vouchers', 'vault', 'postgres'],
  'code exchange': ['vouchers', 'vault', 'gateway', 'postgres', 'all'],
  'holder card': ['vouchers', 'vault', 'postgres'],
  'grant renewal': ['vouchers', 'vault', 'postgres'],
  'grant revocation': ['vouchers', 'vault', 'postgres'],
} as const satisfies Record<string, readonly Victim[]>

const INVOICE_CALLS = {
  'invoice notification': ['notifier', 'postgres'],
} as const satisfies Record<string, readonly Victim[]>

const PAYMENT_CALLS = {
  'boleto registration': ['invoices', 'vault', 'gateway', 'postgres', 'all'],
  'boleto query': ['invoices', 'vault', 'postgres'],
  'boleto withdrawal': ['invoices', 'vault', 'postgres'],
} as const satisfies Record<string, readonly Victim[]>

const PIX_CALLS = {
  'pix registration': ['invoices', 'orders', 'vault', 'gateway', 'postgres', 'all'],
  'pix query': ['invoices', 'orders', 'vault', 'postgres', 'all'],
  'pix withdrawal': ['invoices', 'vault', 'postgres'],
  'pix return': ['invoices', 'orders', 'vault', 'gateway', 'postgres', 'all'],
} as const satisfies Record<string, readonly Victim[]>

const DISPUTE_CALLS = {
  'dispute list': ['orders', 'vault', 'postgres'],
  'dispute answer': ['orders', 'vault', 'gateway', 'postgres', 'all'],
} as const satisfies Record<string, readonly Victim[]>

const CALLS = {
  ...CARD_CALLS,
  ...VOUCHER_CALLS,
  ...INVOICE_CALLS,
  ...PAYMENT_CALLS,
  ...PIX_CALLS,
  ...DISPUTE_CALLS,
}

/** The victims at each commit. */
const CARD_COMMITS = {
  'card stored': ['vault', 'postgres', 'gateway', 'all'],
  'charge made': ['orders', 'postgres', 'gateway', 'all'],
  'outcome saved': ['orders', 'postgres', 'gateway', 'all'],
  'operation begun': ['orders', 'postgres', 'gateway'],
  'metadata replaced': ['orders', 'postgres', 'gateway'],
  'asking leased': ['orders', 'postgres'],
  'charge resolved': ['orders', 'postgres'],
  'events published': ['orders', 'postgres', 'notifier', 'all'],
  'outbox emptied': ['orders', 'postgres', 'notifier'],
  'delivery made': ['notifier', 'postgres'],
  'events consumed': ['notifier', 'postgres'],
  'delivery claimed': ['notifier', 'postgres'],
  'attempt written': ['notifier', 'postgres', 'all'],
  'token card kept': ['vault', 'network-token', 'postgres', 'gateway'],
  'token made': ['network-token', 'postgres', 'gateway', 'all'],
  'token saved': ['network-token', 'postgres', 'all'],
  'token leased': ['network-token', 'postgres'],
  'token number kept': ['vault', 'network-token', 'postgres'],
  'token numbers destroyed': ['vault', 'network-token', 'postgres'],
  'token events published': ['network-token', 'postgres', 'notifier'],
} as const satisfies Record<string, readonly Victim[]>

const VOUCHER_COMMITS = {
  'voucher noted': ['vouchers', 'postgres'],
  'voucher number kept': ['vault', 'vouchers', 'postgres'],
  'voucher token made': ['vouchers', 'postgres', 'gateway', 'all'],
  'redirect begun': ['vouchers', 'postgres', 'gateway'],
  'redirect moved': ['vouchers', 'postgres', 'gateway', 'all'],
  'code kept': ['vault', 'vouchers', 'postgres'],
  'grant kept': ['vault', 'vouchers', 'postgres', 'all'],
  'renewal noted': ['vouchers', 'postgres'],
  'voucher token deleted': ['vouchers', 'postgres', 'gateway'],
  'voucher destroyed': ['vault', 'vouchers', 'postgres'],
  'voucher forgotten': ['vouchers', 'postgres'],
  'voucher payment made': ['vouchers', 'postgres', 'gateway', 'all'],
  'voucher outcome saved': ['vouchers', 'postgres', 'gateway', 'all'],
  'voucher cancellation begun': ['vouchers', 'postgres', 'gateway'],
  'voucher asking leased': ['vouchers', 'postgres'],
  'voucher events published': ['vouchers', 'postgres', 'notifier'],
  'voucher outbox emptied': ['vouchers', 'postgres', 'notifier'],
} as const satisfies Record<string, readonly Victim[]>

const INVOICE_COMMITS = {
  'customer made': ['invoices', 'postgres', 'gateway'],
  'customer deleted': ['invoices', 'postgres', 'gateway'],
  'product made': ['invoices', 'postgres', 'gateway'],
  'invoice made': ['invoices', 'postgres', 'gateway', 'all'],
  'invoice changed': ['invoices', 'postgres', 'gateway', 'all'],
  'past due told': ['invoices', 'postgres', 'all'],
  'invoice events published': ['invoices', 'postgres', 'notifier', 'all'],
  'invoice outbox emptied': ['invoices', 'postgres', 'notifier'],
} as const satisfies Record<string, readonly Victim[]>

const PAYMENT_COMMITS = {
  'card payment begun': ['invoices', 'orders', 'postgres', 'gateway', 'all'],
  'card payment resolved': ['invoices', 'orders', 'postgres', 'gateway', 'all'],
  'boleto begun': ['invoices', 'postgres', 'gateway'],
  'boleto saved': ['invoices', 'vault', 'postgres', 'all'],
  'money received': ['invoices', 'postgres', 'gateway', 'all'],
} as const satisfies Record<string, readonly Victim[]>

const PIX_COMMITS = {
  'pix begun': ['invoices', 'postgres', 'gateway'],
  'pix saved': ['invoices', 'vault', 'postgres', 'all'],
  'pix refund begun': ['invoices', 'postgres', 'gateway', 'all'],
  'pix refund saved': ['invoices', 'postgres', 'gateway', 'all'],
} as const satisfies Record<string, readonly Victim[]>

const MONEY_COMMITS = {
  'receipt decided': ['invoices', 'postgres', 'gateway', 'all'],
} as const satisfies Record<string, readonly Victim[]>

const DISPUTE_COMMITS = {
  'dispute seen': ['orders', 'postgres', 'all'],
  'dispute moved': ['orders', 'postgres', 'gateway', 'all'],
  'evidence kept': ['orders', 'postgres', 'gateway'],
  'dispute recorded': ['invoices', 'postgres', 'all'],
} as const satisfies Record<string, readonly Victim[]>

const COMMITS = {
  ...CARD_COMMITS,
  ...VOUCHER_COMMITS,
  ...INVOICE_COMMITS,
  ...PAYMENT_COMMITS,
  ...PIX_COMMITS,
  ...MONEY_COMMITS,
  ...DISPUTE_COMMITS,
}

/** The parts that `--only` can choose. */
export const PARTS = {
  vouchers: { ...VOUCHER_CALLS, ...VOUCHER_COMMITS },
  invoices: { ...INVOICE_CALLS, ...INVOICE_COMMITS },
  payments: { ...PAYMENT_CALLS, ...PAYMENT_COMMITS },
  pix: {
    ...PIX_CALLS,
    ...PIX_COMMITS,
    'money received': PAYMENT_COMMITS['money received'],
    'charge made': CARD_COMMITS['charge made'],
    'outcome saved': CARD_COMMITS['outcome saved'],
    'charge resolved': CARD_COMMITS['charge resolved'],
  },
  money: {
    ...MONEY_COMMITS,
    'money received': PAYMENT_COMMITS['money received'],
    'invoice changed': INVOICE_COMMITS['invoice changed'],
    'invoice events published': INVOICE_COMMITS['invoice events published'],
  },
  disputes: { ...DISPUTE_CALLS, ...DISPUTE_COMMITS },
  renewals: {
    'grant renewal': VOUCHER_CALLS['grant renewal'],
    'renewal noted': VOUCHER_COMMITS['renewal noted'],
  },
} as const
export type Part = keyof typeof PARTS

export type Call = keyof typeof CALLS
export type Commit = keyof typeof COMMITS | `work of ${ServiceName}`
export type What = Call | Commit

/** One way to kill: a moment and a victim. */
export type Target = { what: What; when: When; victim: Victim }

/** The moment of a call or a commit in words. */
export function describePoint(what: What, when: When): string {
  const isCall = what in CALLS
  const words: Record<When, string> = {
    before: isCall ? 'before the call' : 'before the commit',
    during: 'while the partner works',
    done: isCall ? 'answered, not read' : 'committed, not told',
    told: isCall ? 'answer read' : 'commit told',
  }
  return `${what}: ${words[when]}`
}

/** Every way to kill, in one fixed order that mixes them. `only`: those of this part. */
export function allTargets(only?: Part): Target[] {
  const calls: Target[] = Object.entries(CALLS).flatMap(([what, victims]) =>
    (['before', 'during', 'done', 'told'] as const).flatMap((when) =>
      victims.map((victim) => ({ what: what as What, when, victim })),
    ),
  )
  const work = UNNAMED.map((service) => [`work of ${service}`, [service, 'postgres']] as const)
  const commits: Target[] = [...Object.entries(COMMITS), ...work].flatMap(([what, victims]) =>
    (['before', 'done', 'told'] as const).flatMap((when) =>
      victims.map((victim) => ({ what: what as What, when, victim })),
    ),
  )
  const random = seeded('targets')
  const mixed = [...calls, ...commits].filter(({ what }) => only === undefined || what in PARTS[only])
  for (let at = mixed.length - 1; at > 0; at--) {
    const other = random.int(0, at)
    const [one, two] = [mixed[at], mixed[other]]
    if (one && two) [mixed[at], mixed[other]] = [two, one]
  }
  return mixed
}

/** The ways to kill in one run: runs with successive seeds go through all of them. */
export function targetsOf(seed: number, count: number, only?: Part): Target[] {
  const all = allTargets(only)
  return Array.from({ length: count }, (_, nth) => all[(seed * count + nth) % all.length] as Target)
}
