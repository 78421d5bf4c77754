import { join } from 'node:path'
import { median, percentile } from '../figures'
import { rest } from '../rest'
import { chargeEvent, webhookIdOf } from './charge-events'
import { startMeasuredNotifier, type EventLogKind, type MeasuredNotifier } from './measured-notifier'
import { nowMs } from './receivers'
import { untilArrived, untilWritten } from './throughput'
import { EVENTS_OF_CHARGE, postponeAll, storeWaiting, type Backlog } from './waiting-deliveries'

const NOTIFIER = join(__dirname, '../../../services/notifier/dist')
// The notifier's own statement, as built.
const { CLAIM } = require(join(NOTIFIER, 'deliveries/claim-store.js')) as { CLAIM: string }

const [AWAY, QUIET] = [1, 2]
const FEWEST = 1_000
const CLAIMS = 31
const SLOTS = 64
const LEASE_MS = 20_000
const PING_EVERY_SECONDS = 0.1
const PATIENCE_SECONDS = 120
/** The limit of a claim's cost relative to that with 1,000 waiting: a larger index has a level or two more. */
const CLAIM_RATIO_MAX = 2
const DELAY_MAX_MS = 250

export type BacklogOptions = { waiting: number; eventLog: EventLogKind; profileDir?: string | undefined }
type Times = { p50: number; p99: number; count: number }
export type BacklogResult = {
  waiting: number
  /** The median time of a claim of 64 lanes, in milliseconds, by the number of waiting deliveries. */
  claims: { waiting: number; ms: number; pages: number }[]
  /** From the seller's recovery to the last arrival. */
  seconds: number
  perSecond: number
  outOfOrder: number
  repeated: number
  memoryMib: number
  alone: Times
  meanwhile: Times
  kept: boolean
}

/** Measures the recovery of a receiver that was away, while another seller gets notifications. */
export async function measureBacklog(
  options: BacklogOptions,
  progress: (text: string) => void,
): Promise<BacklogResult> {
  const notifier = await startMeasuredNotifier(options)
  try {
    const { receivers } = notifier
    await notifier.start()
    await notifier.createEndpoint(QUIET, receivers.urlOf(QUIET, 0, 'answer', 'timed'))
    const url = receivers.urlOf(AWAY, 0)
    const backlog = { sellerId: AWAY, url, endpointId: await notifier.createEndpoint(AWAY, url) }
    const alone = await startPinging(notifier).stopAfter(10)
    await notifier.stopPrograms()
    const claims = await measureClaims(notifier, backlog, options.waiting, progress)
    await postponeAll(notifier.pool)
    await notifier.start()
    return { ...(await drain(notifier, backlog, { ...options, alone, claims }, progress)) }
  } finally {
    await notifier.stop()
  }
}

async function drain(
  notifier: MeasuredNotifier,
  { sellerId, endpointId }: Backlog,
  { waiting, alone, claims }: Pick<BacklogResult, 'waiting' | 'alone' | 'claims'>,
  progress: (text: string) => void,
): Promise<BacklogResult> {
  await notifier.receivers.reset()
  progress(`recovering ${waiting} deliveries`)
  const startedAt = nowMs()
  const pinging = startPinging(notifier)
  await notifier.recover(sellerId, endpointId)
  const memoryMib = await untilArrived(notifier, () => waiting + pinging.sent(), PATIENCE_SECONDS, progress)
  const { lastAtMs, outOfOrder, repeated } = await notifier.receivers.counts()
  const seconds = (lastAtMs - startedAt) / 1_000
  const meanwhile = await pinging.stopAfter(0)
  await untilWritten(notifier, PATIENCE_SECONDS)
  const [few, many] = [claims[0]?.ms ?? 0, claims.at(-1)?.ms ?? Infinity]
  const kept =
    many <= CLAIM_RATIO_MAX * few && outOfOrder + repeated === 0 && meanwhile.p99 - alone.p99 <= DELAY_MAX_MS
  const figures = { waiting, claims, seconds, perSecond: waiting / seconds, outOfOrder, repeated, memoryMib }
  return { ...figures, alone, meanwhile, kept }
}

async function measureClaims(
  { pool }: MeasuredNotifier,
  backlog: Backlog,
  waiting: number,
  progress: (text: string) => void,
): Promise<BacklogResult['claims']> {
  const claims: BacklogResult['claims'] = []
  let stored = 0
  for (let size = FEWEST; ; size = Math.min(size * 10, waiting)) {
    const charges = Math.ceil(Math.min(size, waiting) / EVENTS_OF_CHARGE)
    progress(`storing ${charges * EVENTS_OF_CHARGE} deliveries`)
    await storeWaiting(pool, backlog, { from: stored + 1, to: charges })
    stored = charges
    claims.push({ waiting: size, ...(await claimCost({ pool }, backlog)) })
    if (size >= waiting) return claims
  }
}

/** Claims as the notifier does, and rolls the claim back. */
async function claimCost({ pool }: Pick<MeasuredNotifier, 'pool'>, { endpointId }: Backlog) {
  const { rows } = await pool.query('SELECT id FROM receivers WHERE endpoint_id = $1', [endpointId])
  const values = `'{${rows[0].id}}', '{${SLOTS}}', '{${SLOTS}}', ${LEASE_MS}`
  const session = await pool.connect()
  const [times, pages]: [number[], number[]] = [[], []]
  try {
    await session.query(`PREPARE claim AS ${CLAIM}`)
    for (let each = 0; each < CLAIMS; each++) {
      await session.query('BEGIN')
      const explained = await session.query(
        `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) EXECUTE claim(${values})`,
      )
      await session.query('ROLLBACK')
      const [{ Plan: plan, 'Execution Time': ms }] = explained.rows[0]['QUERY PLAN']
      times.push(ms)
      pages.push(plan['Shared Hit Blocks'] + plan['Shared Read Blocks'])
    }
    await session.query('DEALLOCATE claim')
  } finally {
    session.release()
  }
  return { ms: median(times), pages: median(pages) }
}

let lastCharge = 0

/** Publishes an event of another seller every 100 ms until stopped. */
function startPinging({ eventLog, receivers }: MeasuredNotifier) {
  const begun = new Map<string, number>()
  let isOver = false
  const run = async () => {
    while (!isOver) {
      const event = chargeEvent({ sellerId: QUIET, chargeId: (lastCharge += 1) })
      begun.set(webhookIdOf(event), nowMs())
      await Promise.all([eventLog.publish('orders.v1', [event]), rest(PING_EVERY_SECONDS)])
    }
  }
  const running = run()
  const stopAfter = async (seconds: number): Promise<Times> => {
    await rest(seconds)
    isOver = true
    await running
    await rest(1)
    const arrivals = await receivers.arrivals()
    const times = [...begun].map(([id, at]) => (arrivals.get(id) ?? Infinity) - at)
    return { p50: percentile(times, 0.5), p99: percentile(times, 0.99), count: times.length }
  }
  return { sent: () => begun.size, stopAfter }
}
