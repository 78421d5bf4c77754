import { existsSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { eventually } from '@cofre/testing/testing'
import { decodeProtectedHeader } from 'jose'
import { cardToken, customer, discard, startSystem, type System } from '../journeys/system'
import { attack, type Harvest, type HostileClient } from './hostile-client'

/** `HOSTILE_SECONDS=3600 npx jest test/probed/hostile` is the long form. The short form judges no times. */
const SECONDS = Number(process.env['HOSTILE_SECONDS'] ?? 0)
/** The requests of the short form, before and during the attack. */
const REQUESTS = 80
/**
 * The time of a request on a machine whose gateway has room beside the whole attack. On a slower machine the short form
 * attacks more slowly: an event loop accepts one connection a turn (libuv), and with more connections all would wait.
 */
const FAST_MS = 8
const QUIET_MS = 60_000
/** The pause after each sale: without it an idle machine would exceed the rate limit of one token. */
const REST_MS = 40
const TIMEOUT_MS = (SECONDS + 600) * 1_000

let system: System
let hostile: HostileClient | undefined
beforeAll(async () => {
  system = await startSystem()
})
afterAll(async () => {
  await hostile?.stop()
  await discard(system)
})

type Round = { statuses: number[]; durationsMs: number[] }

/** Runs one honest client, which charges a card and lists its charges, in turns until the round is long enough. */
async function sell(token: string, isEnough: (round: Round) => boolean): Promise<Round> {
  const round: Round = { statuses: [], durationsMs: [] }
  const ask = async (method: string, path: string, body?: object) => {
    const began = performance.now()
    const { status } = await system.api(method, path, body ? { body } : {})
    round.durationsMs.push(performance.now() - began)
    round.statuses.push(status)
  }
  const charge = { amount: 1_000, installments: 1, customer, cardToken: { token } }
  while (!isEnough(round)) {
    await ask('POST', '/api/v2/orders/credit-card/charge', charge)
    await ask('GET', '/api/v2/charges?size=5')
    await pause(REST_MS)
  }
  return round
}

const isServed = (status: number) => status === 200 || status === 201

function percentile(durationsMs: readonly number[], share: number): number {
  const sorted = durationsMs.toSorted((one, other) => one - other)
  return sorted[Math.ceil(sorted.length * share) - 1] ?? 0
}

/** Resident memory of the gateway, MB; 0 when the system does not show it. */
function memoryMb(): number {
  const file = `/proc/${system.ready.pids['gateway']}/status`
  if (!existsSync(file)) return 0
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(file, 'utf8'))?.[1]) / 1_024)
}

/** Notes the memory every 30 seconds. */
function watchMemory() {
  const seen = [memoryMb()]
  const timer = setInterval(() => seen.push(memoryMb()), 30_000)
  return { seen, stop: () => clearInterval(timer) }
}

const meanOf = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length

const ATTACKS = ['forged push', 'unsigned push', 'forged token', 'sign-in', 'readyz', 'no body']
const refusals = (harvest: Harvest) =>
  ATTACKS.map((name) => Object.values(harvest[name] ?? {}).reduce((sum, count) => sum + count, 0))

test(
  'beside a hostile client an honest one is served as usual: no 503, no failure, and memory does not grow',
  async () => {
    const token = await cardToken(system, 0)
    const { kid = '' } = decodeProtectedHeader(system.ready.token)
    // The first requests compile and connect: they are no part of the comparison.
    await sell(token, ({ statuses }) => statuses.length >= REQUESTS / 2)
    const quietUntil = Date.now() + QUIET_MS
    const quiet = await sell(token, ({ statuses }) =>
      SECONDS > 0 ? Date.now() >= quietUntil : statuses.length >= REQUESTS,
    )

    const timesSlower = SECONDS > 0 ? 1 : Math.max(1, percentile(quiet.durationsMs, 0.5) / FAST_MS)
    const attacking = (hostile = attack(system.ready.baseUrl, kid, timesSlower))
    await eventually(() => expect(Math.min(...refusals(attacking.harvest()))).toBeGreaterThan(0))
    const memory = watchMemory()
    const until = Date.now() + SECONDS * 1_000
    const beside = await sell(token, ({ statuses }) =>
      SECONDS > 0 ? Date.now() >= until : statuses.filter(isServed).length >= REQUESTS,
    )
    memory.stop()
    memory.seen.push(memoryMb())
    const harvest = attacking.harvest()
    await attacking.stop()

    const [usual, meanwhile] = [quiet, beside].map(({ durationsMs }) => ({
      p50: Math.round(percentile(durationsMs, 0.5)),
      p99: Math.round(percentile(durationsMs, 0.99)),
    })) as [Record<'p50' | 'p99', number>, Record<'p50' | 'p99', number>]
    const figures = {
      timesSlower,
      usual,
      meanwhile,
      requests: beside.statuses.length,
      memoryMb: memory.seen,
      harvest,
    }
    process.stdout.write(`${JSON.stringify(figures)}\n`)

    expect(new Set(quiet.statuses)).toEqual(new Set([200, 201]))
    // On a starved machine the short form may meet a 503, and tries again, as a client does.
    const refused = beside.statuses.filter((status) => !isServed(status))
    expect(refused.filter((status) => SECONDS > 0 || status !== 503)).toEqual([])
    // No attack got in: each was refused, limited, cut, or shown a public page.
    const outcomes = new Set(Object.values(harvest).flatMap((row) => Object.keys(row)))
    expect([...outcomes].filter((outcome) => !/^(200|400|401|403|408|429|503|cut)$/.test(outcome))).toEqual(
      [],
    )
    expect(harvest['forged token']).not.toHaveProperty('200')
    expect(harvest['forged push']).not.toHaveProperty('204')
    if (SECONDS === 0) return
    expect(meanwhile.p99).toBeLessThanOrEqual(2 * usual.p99)
    const sixth = Math.ceil(memory.seen.length / 6)
    const [early, late] = [memory.seen.slice(sixth, 2 * sixth), memory.seen.slice(-sixth)].map(meanOf)
    expect(late).toBeLessThanOrEqual(1.1 * (early ?? 0))
  },
  TIMEOUT_MS,
)
