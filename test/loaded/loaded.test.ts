import { eventually } from '@cofre/testing/testing'
import {
  type Answer,
  authorizeBody,
  cardToken,
  customer,
  discard,
  startSystem,
  type System,
} from '../journeys/system'
import { withDatabase } from '../probed/places'
import { arrive, askInTurns, percentile, watchMemory, type Arrivals, type Outcome } from './load'

/** How long the load lasts. LOADED_SECONDS=60 npx jest test/loaded is the long form. */
const SECONDS = Number(process.env['LOADED_SECONDS'] ?? 3)
/** The long form has the machine to itself and judges times; the short one, beside other tests, judges only answers. */
const MEASURES = SECONDS >= 30
const TIMES = 4
/** V8 compiles code that runs often: a cold process has less capacity. */
const WARM_UP_MS = MEASURES ? 15_000 : 1_500
/** The share of its capacity that is still served under four times as many requests. */
const STILL_DONE = 0.3
const HTTP_TIMEOUT_MS = 30_000
const MEMORY_MAX_MIB = 700
const RECOVERED_WITHIN_MS = 5_000
const ACQUIRER_TIMEOUT_MS = 12_000
const IN_FLIGHT = 500
/** The most that a route beside a hanging acquirer may take, at the 95th percentile. */
const UNDISTURBED_MS = 1_000
const AS_USUAL = 20

const settings: Record<string, Record<string, string>> = {
  // One token sends all requests: its limits must not refuse them.
  gateway: {
    RATE_LIMIT_PER_SECOND: '1000000',
    RATE_LIMIT_BURST: '1000000',
    HTTP_MAX_IN_FLIGHT: String(IN_FLIGHT),
    HTTP_MAX_IN_FLIGHT_PER_TOKEN: String(10 * IN_FLIGHT),
    HTTP_MAX_LAG_MS: '1000', // The default.
  },
  // One card pays for all: the guard against card testing must not refuse it.
  orders: { ACQUIRER_TIMEOUT_MS: String(ACQUIRER_TIMEOUT_MS), GUESSES_PER_MINUTE: '10000' },
}

let system: System
let token: string
beforeAll(async () => {
  system = await startSystem(undefined, { adapt: (name, own) => ({ ...own, ...settings[name] }) })
  token = await cardToken(system, 0)
})
afterAll(async () => {
  await discard(system)
})

const AUTHORIZE = '/api/v2/orders/credit-card/authorize'
const authorizeOne = () => system.api('POST', AUTHORIZE, { body: authorizeBody([token], 100) })

async function succeed(ask: () => Promise<Answer>): Promise<void> {
  const { status, body } = await ask()
  if (status >= 400) throw new Error(`answered ${status} ${body?.code}`)
}

let usualMs: number
let capacity: number
let load: Arrivals
/** The prefix of the order references of the load. */
let loadName: string

test(
  'at a steady rate of four times its capacity, each request is served in time or refused at once',
  async () => {
    await askInTurns(16, WARM_UP_MS, () => succeed(authorizeOne))
    capacity = (await askInTurns(16, 2_000, () => succeed(authorizeOne))).length / 2
    usualMs = percentile(await askInTurns(1, 500, () => succeed(authorizeOne)), 0.5)

    const { result, peaks } = await watchMemory(system.ready.pids, overload())
    load = result
    report({ capacity, usualMs, ...summary(load.outcomes), peaks })

    expect(load.outcomes.length).toBeGreaterThan(TIMES * capacity * SECONDS * 0.9)
    expect(load.outcomes.filter(isOdd).slice(0, 5)).toEqual([])
    if (keepsUp()) expect(Math.max(...load.outcomes.map(({ ms }) => ms))).toBeLessThan(HTTP_TIMEOUT_MS)
    expect(load.outcomes.filter(({ status }) => status === 503).length).toBeGreaterThan(0)
    const served = load.outcomes.filter(({ status }) => status === 201).length
    expect(served / SECONDS).toBeGreaterThan(STILL_DONE * capacity)
    expect(Object.entries(peaks).filter(([, mib]) => mib > MEMORY_MAX_MIB)).toEqual([])
  },
  (300 + 10 * SECONDS) * 1_000,
)

/** Sends more than it can serve. Other programs on the machine may have made its capacity seem too small. */
async function overload(): Promise<Arrivals> {
  for (let times = TIMES; ; times *= 2) {
    loadName = `load-${times}`
    const perSecond = Math.ceil(times * capacity)
    const arrived = await arrive(system, { cardToken: token, perSecond, seconds: SECONDS, name: loadName })
    if (arrived.outcomes.some(({ status }) => status === 503) || times > 8 * TIMES) return arrived
  }
}

/** Asks again with the same key, as a client should that was refused or not answered. */
function untilDone(ask: () => Promise<Answer>): Promise<void> {
  return eventually(async () => expect((await ask()).status).toBe(201))
}

/** True when a request was neither served nor refused with a time to come back. */
function isOdd({ status, retryAfter, says }: Outcome): boolean {
  if (says === 'AUTHORIZED') return false
  const isRefused = status === 503 || status === 429
  return !(isRefused || isUndecided(says)) || !/^\d+$/.test(retryAfter ?? '')
}

/**
 * True when all requests in flight are served within half of the acquirer's timeout. A machine that serves sixteen a
 * second, which the short form has met, needs half a minute: calls then end in the middle, and the answer says when to
 * read the charge, or to ask again with the key.
 */
function keepsUp(): boolean {
  return MEASURES || (capacity * ACQUIRER_TIMEOUT_MS) / 2_000 >= IN_FLIGHT
}

function isUndecided(says: string | undefined): boolean {
  return says === 'PENDING' || (says === 'OUTCOME_UNKNOWN' && !keepsUp())
}

test('after the load it answers as usual again, within five seconds on a machine of its own', async () => {
  for (let nth = 0; nth < AS_USUAL; nth++) {
    await eventually(async () => expect((await authorizeOne()).body.status).toBe('AUTHORIZED'))
  }
  if (!MEASURES) return
  const allowedMs = 2 * usualMs + 10
  let ms = Infinity
  while (ms > allowedMs) {
    ms = percentile(await askInTurns(1, 250, () => succeed(authorizeOne)), 0.5)
    const waited = Date.now() - load.endedAt
    if (ms > allowedMs && waited > RECOVERED_WITHIN_MS) throw new Error(`${ms} ms after ${waited} ms`)
  }
})

test('nothing is lost: a served charge exists once, also at the acquirer; a refused one took no money', async () => {
  const booked = await eventually(async () => {
    const charges = await chargesOf(loadName)
    expect([...charges.values()].filter(({ status }) => status === 'PENDING')).toEqual([])
    return charges
  })
  const served = load.outcomes.filter(({ status }) => status === 201)
  expect(served.filter(({ reference, id }) => booked.get(reference)?.id !== id)).toEqual([])
  if (keepsUp()) {
    expect(booked.size).toBe(served.length)
    expect([...booked.values()].filter(({ status }) => status !== 'AUTHORIZED')).toEqual([])
  }
  const saidOf = new Map(load.outcomes.map(({ reference, says }) => [reference, says]))
  const isExplained = ({ reference, status }: Booked) => {
    const said = saidOf.get(reference)
    return status === 'AUTHORIZED' ? said === 'AUTHORIZED' || isUndecided(said) : said !== 'AUTHORIZED'
  }
  expect([...booked.values()].filter((charge) => !isExplained(charge))).toEqual([])

  const there = (await system.sandbox('GET', '/acquirer/payments')) as { merchantOrderId: string }[]
  const count = new Map<string, number>()
  for (const { merchantOrderId } of there) count.set(merchantOrderId, (count.get(merchantOrderId) ?? 0) + 1)
  expect([...count.values()].filter((times) => times !== 1)).toEqual([])
  const shown = [...booked.values()].filter(({ orderNumber }) => count.has(orderNumber))
  const authorized = [...booked.values()].filter(({ status }) => status === 'AUTHORIZED')
  expect(shown.filter(({ status }) => status !== 'AUTHORIZED')).toEqual([])
  // The list holds the newest ten thousand.
  if (there.length < 10_000) expect(shown).toEqual(authorized)
})

test('a client that asks again with its key gets its one charge', async () => {
  const refused = load.outcomes.filter(({ status }) => status === 503)
  const some = Array.from({ length: 20 }, (_none, nth) => refused[Math.floor((nth * refused.length) / 20)])
  const body = (reference: string) => ({ ...authorizeBody([token], 100), orderReference: reference })
  for (const one of some) {
    if (!one) throw new Error('nothing was refused')
    const ask = () =>
      system.api('POST', AUTHORIZE, { body: body(one.reference), headers: { 'idempotency-key': one.key } })
    await untilDone(ask)
    await untilDone(ask)
    const { body: page } = await system.api('GET', `/api/v2/charges?orderReference=${one.reference}`)
    if (keepsUp()) expect(page.totalElements).toBe(1)
    // A charge that orders refused, because nothing could be sent, is kept as FAILED.
    const charges = (page.content as Booked[]).filter(({ status }) => status !== 'FAILED')
    expect(charges).toMatchObject([{ status: 'AUTHORIZED' }])
  }
})

test('an acquirer that hangs stops no route that does not need it, and loses no charge', async () => {
  const charge = (await authorizeOne()).body
  await system.sandbox('POST', '/faults', {
    partner: 'ACQUIRER',
    kind: 'SLOW',
    delayMs: 20_000,
    times: 10_000,
  })
  const perSecond = IN_FLIGHT / 2
  const hanging = arrive(system, { cardToken: token, perSecond: 2 * perSecond, seconds: 1, name: 'hanging' })
  let isOver = false
  void hanging.finally(() => (isOver = true))

  const routes: Record<string, () => Promise<Answer>> = {
    read: () => system.api('GET', `/api/v2/charges/${charge.id}`),
    list: () => system.api('GET', '/api/v2/charges'),
    metadata: () => system.api('PUT', `/api/v2/charges/${charge.id}/metadata`, { body: { cart: '77' } }),
    tokenize: () => system.api('POST', '/api/v2/cards/tokens', { body: CARD }),
  }
  const answers = await Promise.all(
    Object.entries(routes).map(async ([name, ask]) => {
      const asked: Timed[] = []
      while (!isOver) asked.push(await timed(ask))
      return [name, asked] as const
    }),
  )
  const { outcomes } = await hanging
  report(summary(outcomes))
  expect(outcomes.filter(isOdd)).toEqual([])
  expect(outcomes.filter(({ status }) => status === 503).length).toBeGreaterThan(0)

  // Between the last arrival and the first answer, all requests wait for the acquirer.
  const allAsked = Math.max(...outcomes.map(({ askedAt }) => askedAt))
  const firstAnswer = Math.min(
    ...outcomes.filter(({ status }) => status !== 503).map(({ askedAt, ms }) => askedAt + ms),
  )
  const isBeside = ({ began, ended }: Timed) => began >= allAsked && ended <= firstAnswer
  // While they arrive and leave, all at once, a busy machine may read another request too late: 503.
  const refused = answers.flatMap(([name, asked]) =>
    asked
      .filter((one) => one.says !== 'done' && (isBeside(one) || !one.says.startsWith('503 ')))
      .map(({ says }) => `${name}: ${says}`),
  )
  expect(refused).toEqual([])
  const beside = answers.map(([name, asked]) => {
    const whole = asked.filter((one) => (isBeside(one) || !keepsUp()) && one.says === 'done')
    const p95 = percentile(
      whole.map(({ began, ended }) => ended - began),
      0.95,
    )
    return { name, answered: whole.length, p95 }
  })
  report({ beside })
  expect(beside.filter(({ answered }) => answered === 0)).toEqual([])
  if (MEASURES) expect(beside.filter(({ p95 }) => !(p95 < UNDISTURBED_MS))).toEqual([])
  await fetch(`${system.ready.sandboxUrl}/faults`, { method: 'DELETE' })
})

type Timed = { began: number; ended: number; says: string }

async function timed(ask: () => Promise<Answer>): Promise<Timed> {
  const began = Date.now()
  const { status, body } = await ask()
  const says = status < 400 ? 'done' : `${status} ${body?.code}: ${body?.detail}`
  return { began, ended: Date.now(), says }
}

const CARD = {
  cardNumber: '4111111111111111',
  holder: { name: 'ANA SOUZA', document: customer.document },
  expiration: { year: 2049, month: 12 },
}

type Booked = { reference: string; id: number; status: string; orderNumber: string }

/** The charges of one load, by their reference. */
async function chargesOf(name: string): Promise<Map<string, Booked>> {
  const { rows } = await withDatabase(system.runDir, 'orders', (client) =>
    client.query(
      `SELECT c.order_reference AS reference, c.id::int, c.status, p.order_number AS "orderNumber"
       FROM charges c JOIN payments p ON p.charge_id = c.id WHERE c.order_reference LIKE $1 || '-%'`,
      [name],
    ),
  )
  const byReference = new Map((rows as Booked[]).map((booked) => [booked.reference, booked]))
  expect(byReference.size).toBe(rows.length)
  return byReference
}

function summary(outcomes: readonly Outcome[]) {
  const kinds: Record<string, number> = {}
  for (const { status, says, error } of outcomes) {
    const kind = error ?? `${status} ${says}`
    kinds[kind] = (kinds[kind] ?? 0) + 1
  }
  const ofServed = outcomes.filter(({ status }) => status === 201).map(({ ms }) => ms)
  const ofRefused = outcomes.filter(({ status }) => status !== 201).map(({ ms }) => ms)
  const describe = (values: number[]) => ({ p50: percentile(values, 0.5), max: percentile(values, 1) })
  return { kinds, served: describe(ofServed), refused: describe(ofRefused) }
}

function report(found: object): void {
  process.stdout.write(`${JSON.stringify(found)}\n`)
}
