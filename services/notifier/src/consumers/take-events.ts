import { UnreadableEvent, type LogEvent } from '@cofre/platform/events/event-log'
import { findHandled, handleAllOnce } from '@cofre/platform/events/inbox'
import type { Db, Pool } from '@cofre/platform/postgres/postgres'
import { findOpenLanes, insertDeliveries, type Opened } from '../deliveries/delivery-store'
import type { Deps } from '../deps'
import { endpointsForAll, type Notified } from '../endpoints/endpoint-store'
import { keepForListeners, wantedByListeners } from '../listeners/listener-store'
import type { Notification } from '../notifications/envelope'
import { notificationOf, type Source } from '../notifications/sources'
import { openFirstAttempts, plan, type FirstAttempts, type Planned, type Starter } from './first-attempts'
import type { Turns } from './turns'

export const GROUP = 'notifier'
const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i
/** How many deliveries are stored at once; only a single event may have more. */
const DELIVERIES_AT_ONCE = 100
/** After this long, the rest of a batch is stored first, since stopping this process waits for the batch. */
const AHEAD_MS = 15_000
/** Waiting this long for a delivery costs nothing: storing it first takes no less of a batch's time. */
const MS_OF_DELIVERED = 0.25
const NOT_STORED_MAX = 10_000

export type Consumer = {
  deps: Deps
  source: Source
  starter: Starter
  /** Partitions take turns at sending ahead to a seller's receivers, so that each in its turn has all their slots. */
  inTurn: Turns
  /** Events that could not be stored the last time. Their messages are not sent ahead again and again. */
  notStored: Set<string>
}

type Read = { eventId: string; notification: Notification }
/** With the endpoints that are to receive it. */
type Asked = Read & { endpoints: readonly Notified[]; planned: readonly Planned[] }
/** Events whose deliveries are stored together. */
type Part = { asked: readonly Asked[]; attempts: FirstAttempts }

/** Makes the deliveries of events. While one part is stored, messages of the next part are sent ahead. */
export async function takeEvents(consumer: Consumer, events: readonly LogEvent[]): Promise<void> {
  // One batch may hold an event twice.
  const once = [...new Map(events.map((event) => [event.id, event])).values()]
  const read = once.map((event) => ({ eventId: event.id, notification: readEvent(consumer, event) }))
  const parts = inParts(await thoseAskedFor(consumer.deps, read), consumer.starter)
  const aheadUntil = performance.now() + AHEAD_MS
  let { patienceMs } = consumer.deps.delivery
  let before: Part | undefined
  let storing: Promise<unknown> = Promise.resolve()
  for (const [at, part] of parts.entries()) {
    const mayWait = patienceMs > 0 && performance.now() < aheadUntil
    const sending = mayWait ? sendAhead(consumer, part, before, patienceMs) : undefined
    const [sent, stored] = await Promise.allSettled([sending, storing])
    const failed = [sent, stored].find((each) => each.status === 'rejected')
    if (failed) {
      for (const each of parts.slice(at)) giveUp(consumer, each)
      throw failed.reason
    }
    if (sent.status === 'fulfilled') patienceMs -= sent.value ?? 0
    storing = storePart(consumer, part)
    before = part
  }
  await storing
}

function readEvent({ deps: { baseUrl }, source }: Consumer, event: LogEvent): Notification {
  if (!UUID.test(event.id)) throw new UnreadableEvent('the event id is not a UUID')
  try {
    return notificationOf(source, event, baseUrl)
  } catch (error) {
    // The message of a syntax error quotes the unreadable text, so only the name of the error is logged.
    throw new UnreadableEvent(error instanceof Error ? error.name : 'unknown')
  }
}

/** The unhandled events that somebody asked for. Most sellers ask for nothing; their events are not even marked. */
async function thoseAskedFor({ pool }: Deps, read: readonly Read[]): Promise<Asked[]> {
  const withoutOwnUrl = read.map(({ notification }) => notification).filter(({ plain }) => !plain)
  const notifications = read.map(({ notification }) => notification)
  const eventIds = read.map(({ eventId }) => eventId)
  const [endpointsOf, isListened, isHandled] = await Promise.all([
    endpointsForAll(pool, notifications),
    wantedByListeners(pool, withoutOwnUrl),
    findHandled(pool, GROUP, eventIds),
  ])
  return read.flatMap((each) => {
    const { eventId, notification } = each
    if (isHandled(eventId)) return []
    const endpoints = endpointsOf(notification)
    const isWanted = notification.plain !== undefined || endpoints.length > 0 || isListened(notification)
    return isWanted ? [{ ...each, endpoints, planned: plan(notification, endpoints) }] : []
  })
}

function inParts(asked: readonly Asked[], starter: Starter): Part[] {
  const parts: Asked[][] = []
  let deliveries = 0
  for (const each of asked) {
    if (parts.length === 0 || deliveries + each.planned.length > DELIVERIES_AT_ONCE) {
      parts.push([])
      deliveries = 0
    }
    parts.at(-1)?.push(each)
    deliveries += each.planned.length
  }
  return parts.map((each) => ({ asked: each, attempts: openFirstAttempts(starter) }))
}

/**
 * Sends messages before they are stored, to receivers that answer at once and that nothing waits for. Returns how many
 * milliseconds it waited for them, little more than `patienceMs`.
 */
async function sendAhead(
  { deps: { pool }, inTurn, notStored }: Consumer,
  { asked, attempts }: Part,
  before: Part | undefined,
  patienceMs: number,
): Promise<number> {
  const again = asked.filter(({ eventId }) => notStored.has(eventId)).flatMap((each) => each.planned)
  const waits = new Set([
    ...(before?.attempts.undelivered(before.asked.flatMap((each) => each.planned)) ?? []),
    ...again.map(({ lane }) => lane),
  ])
  const isAsAsked = before ? await lookAgain(pool, asked) : () => true
  const planned = asked
    .filter(isAsAsked)
    .flatMap((each) => each.planned)
    .filter((each) => !waits.has(each.lane) && attempts.maySendAhead(each))
  if (planned.length === 0) return 0
  // If another replica has handled an event since, its lane shows as open here.
  const open = await findOpenLanes(pool, [...new Set(planned.map(({ lane }) => lane))])
  const free = bySeller(planned.filter(({ lane }) => !open.has(lane)))
  // Only idle time counts as waiting: on a busy machine even the fastest receivers take long.
  const idleMs = () => performance.eventLoopUtilization().idle
  const idleBefore = idleMs()
  const waited = (delivered: number) => Math.max(idleMs() - idleBefore - delivered * MS_OF_DELIVERED, 0)
  const sendTo = async (some: Planned[], meanwhile: number) => {
    const leftMs = (delivered: number) => patienceMs - waited(meanwhile + delivered)
    return leftMs(0) > 0 ? attempts.sendAhead(some, leftMs) : 0
  }
  // Sellers are served beside each other, so the wait is that of the slowest.
  const all = await Promise.all(
    free.map(async ([sellerId, some]) =>
      waited(await inTurn(sellerId, (meanwhile) => sendTo(some, meanwhile))),
    ),
  )
  return Math.max(0, ...all)
}

/** Finds the events that no other replica has handled since, and whose endpoints their seller has not changed. */
async function lookAgain(pool: Pool, asked: readonly Asked[]): Promise<(each: Asked) => boolean> {
  const notifications = asked.map(({ notification }) => notification)
  const eventIds = asked.map(({ eventId }) => eventId)
  const [endpointsOf, isHandled] = await Promise.all([
    endpointsForAll(pool, notifications),
    findHandled(pool, GROUP, eventIds),
  ])
  return ({ eventId, notification, endpoints }) =>
    !isHandled(eventId) && isSame(endpointsOf(notification), endpoints)
}

function bySeller(planned: readonly Planned[]): [sellerId: number, planned: Planned[]][] {
  const ofSeller = new Map<number, Planned[]>()
  for (const each of planned) {
    const { sellerId } = each.asker
    const others = ofSeller.get(sellerId)
    if (others) others.push(each)
    else ofSeller.set(sellerId, [each])
  }
  return [...ofSeller]
}

async function storePart(consumer: Consumer, part: Part): Promise<void> {
  const { deps, notStored } = consumer
  const { asked, attempts } = part
  const eventIds = asked.map(({ eventId }) => eventId)
  let opened: Opened[] = []
  try {
    await handleAllOnce(deps.pool, GROUP, eventIds, async (tx, fresh) => {
      const unseen = asked.filter(({ eventId }) => fresh.has(eventId))
      opened = await storeDeliveries(deps, tx, unseen, attempts)
    })
  } catch (error) {
    giveUp(consumer, part)
    throw error
  }
  for (const eventId of eventIds) notStored.delete(eventId)
  attempts.begin(opened)
}

async function storeDeliveries(
  { delivery }: Deps,
  tx: Db,
  unseen: readonly Asked[],
  attempts: FirstAttempts,
): Promise<Opened[]> {
  const notifications = unseen.map(({ notification }) => notification)
  const endpointsOf = await endpointsForAll(tx, notifications)
  const deliveries = unseen.flatMap((each) => {
    const endpoints = endpointsOf(each.notification)
    const planned = isSame(endpoints, each.endpoints) ? each.planned : plan(each.notification, endpoints)
    return attempts.rowsOf(planned)
  })
  const opened = deliveries.length > 0 ? await insertDeliveries(tx, deliveries, delivery.leaseMs) : []
  if (notifications.length > 0) await keepForListeners(tx, notifications)
  return opened
}

/** True when the same endpoints receive the event in the same way. */
function isSame(endpoints: readonly Notified[], before: readonly Notified[]): boolean {
  const seen = (each: Notified | undefined) =>
    [
      each?.id,
      each?.url,
      each?.status,
      each?.rateLimit,
      each?.failing,
      each?.headersSealed?.toString('base64'),
    ].join(' ')
  return endpoints.length === before.length && endpoints.every((each, at) => seen(each) === seen(before[at]))
}

/** Notes that nothing of a part was stored: all its events come again. */
function giveUp({ notStored }: Consumer, { asked, attempts }: Part): void {
  attempts.giveUp()
  // Events that another replica has stored meanwhile do not come again, and would stay here.
  if (notStored.size > NOT_STORED_MAX) notStored.clear()
  for (const { eventId } of asked) notStored.add(eventId)
}
