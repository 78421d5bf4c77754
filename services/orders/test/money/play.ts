import { callRpc } from '@cofre/platform/grpc/client'
import { DomainError } from '@cofre/platform/errors'
import { ChargeStatus, type Charge } from '@cofre/proto/orders/v1/orders'
import { lookAgain } from '../../src/sweepers/look-again'
import { ALSO_GOOD, DECLINED, order, VISA } from '../support/orders'
import { get, newSeller, withKey, type TestOrders } from '../support/start-orders'
import { UNSURE, type Scene } from './scene'
import type { Card, Kill, Step, Story } from './story'

/** A client's answer. `nothing`: 503, nothing was done. `unknown`: 504, or no answer at all. `in_use`: 409. */
export type Answer =
  | { is: 'told'; charge: Charge }
  | { is: 'nothing' }
  | { is: 'unknown' }
  | { is: 'in_use' }
  | { is: 'refused'; reason: string }

/**
 * One sending of a request, or several at once, with the operations that it made. `before`: the charge at that time.
 * `struck`: the replica died during it.
 */
export type Send = { answers: Answer[]; operations: string[]; before: Charge | undefined; struck: boolean }

/** One request of the client, under one key. */
export type Action = { key: string; does: 'order' | 'capture' | 'refund'; amount?: number; sends: Send[] }

/** The course of a story. */
export type Play = {
  scene: Scene
  story: Story
  sellerId: number
  actions: Action[]
  /** The charge to capture and refund. */
  charge: Charge | undefined
  /** The charge as it was shown in between, and as it is; undefined when it may have changed since. */
  reads: Charge[]
  seen: Charge | undefined
}

const CARDS: Record<Card, string> = { good: VISA, declined: DECLINED, unsure: UNSURE }
/** The gateway's settings for such calls. */
const MOVING_MONEY = { timeoutMs: 60_000, writes: true }
const ORDERS_MAX = 2
const TRIES_MAX = 4
const OPEN: readonly Answer['is'][] = ['unknown', 'in_use']
const MINUTE_MS = 60_000
/** The sweeper's rounds in an hour. The real one looks more often. */
const ROUNDS = 20

/** Plays a story to its end: an hour after its last fault. */
export async function playStory(scene: Scene, story: Story): Promise<Play> {
  await scene.set(story)
  const sellerId = await newSeller(scene.orders)
  scene.partner.follow(story.faults)
  const play: Play = { scene, story, sellerId, actions: [], charge: undefined, reads: [], seen: undefined }
  for (let made = 0; made < ORDERS_MAX && !isAlive(play.charge); made++) await makeOrder(play)
  if (play.charge) for (const step of story.steps) await takeStep(play, play.charge, step)
  scene.calm()
  play.seen = undefined
  await resolveAll(play)
  // A client without an answer asks again, and gets one.
  for (const action of play.actions) {
    const isOpen = action.sends.every(({ answers }) => answers.some(({ is }) => OPEN.includes(is)))
    if (isOpen) await send(play, action)
    const last = action.sends.at(-1)?.answers[0]?.is
    if (isOpen && last !== 'told' && last !== 'refused')
      throw new Error(`${action.key} is ${last} when every call is answered`)
  }
  await resolveAll(play)
  for (const action of play.actions) if (toldOf(action)) await send(play, action)
  return play
}

/** The first answer of a request. */
export function toldOf({ sends }: Action): Charge | undefined {
  return sends.flatMap(({ answers }) => answers).find((one) => one.is === 'told')?.charge
}

function isAlive(charge: Charge | undefined): boolean {
  return charge !== undefined && ![ChargeStatus.FAILED, ChargeStatus.DENIED].includes(charge.status)
}

async function makeOrder(play: Play): Promise<void> {
  const { story } = play
  const action: Action = { key: `order ${play.actions.length}`, does: 'order', sends: [] }
  const isFirst = play.actions.length === 0
  play.actions.push(action)
  play.seen = undefined
  for (let tries = 0; tries < TRIES_MAX && !toldOf(action); tries++) {
    if (tries > 0) await sweep(play, true, null)
    await send(play, action, isFirst && tries === 0 ? story : {})
  }
  play.charge = toldOf(action)
  if (play.charge?.status === ChargeStatus.PENDING) {
    await sweep(play, true, null)
    play.charge = await read(play, play.charge)
  }
}

async function takeStep(play: Play, charge: Charge, step: Step): Promise<void> {
  if (step.does === 'sweep') await sweep(play, step.passed, step.kill)
  else if (step.does === 'repeat') {
    const action = play.actions[step.nth % play.actions.length]
    if (action) await send(play, action, step)
  } else {
    const { does, percent } = step
    const amount = percent === null ? {} : { amount: Math.ceil((charge.amount * percent) / 100) }
    const action: Action = { key: `${does} ${play.actions.length}`, does, ...amount, sends: [] }
    play.actions.push(action)
    await send(play, action, step)
  }
  await read(play, charge)
}

async function read(play: Play, charge: Charge): Promise<Charge> {
  play.seen = await get(play.scene.orders, charge)
  play.reads.push(play.seen)
  return play.seen
}

async function sweep({ scene, story }: Play, passed: boolean, kill: Kill | null): Promise<void> {
  await scene.due(passed)
  const { replica } = scene.replicaFor(kill)
  const swept = scene.sweep(replica).catch(() => {})
  await scene.watch(swept, story.hurried)
}

async function send(
  play: Play,
  action: Action,
  { kill = null, copies = 1 }: { kill?: Kill | null; copies?: number } = {},
): Promise<void> {
  const { scene, story } = play
  const { replica, doom } = scene.replicaFor(kill)
  const asked = Array.from({ length: copies }, () =>
    ask(replica, play, action).then(
      (charge): Answer => (doom.killed() ? { is: 'unknown' } : { is: 'told', charge }),
      (error: unknown): Answer => (doom.killed() ? { is: 'unknown' } : answerOf(error)),
    ),
  )
  const answers = await scene.watch(Promise.all(asked), story.hurried)
  const known = new Set(play.actions.flatMap(({ sends }) => sends.flatMap((one) => one.operations)))
  const operations = (await operationsOf(play)).filter((id) => !known.has(id))
  action.sends.push({ answers, operations, before: play.seen, struck: doom.struck() })
}

function ask({ client }: Pick<TestOrders, 'client'>, play: Play, action: Action): Promise<Charge> {
  const { sellerId, charge, story } = play
  return withKey(action.key, () => {
    if (action.does === 'order')
      return callRpc(client, client.authorizeOrder, orderOf(sellerId, story), MOVING_MONEY)
    const request = { sellerId, chargeId: charge?.id ?? 0, amount: action.amount }
    return action.does === 'capture'
      ? callRpc(client, client.captureCharge, request, MOVING_MONEY)
      : callRpc(client, client.refundCharge, { ...request, reason: undefined }, MOVING_MONEY)
  })
}

function orderOf(sellerId: number, { payments }: Story) {
  const cards = payments.map(({ card }, position) =>
    card === 'good' && position % 2 ? ALSO_GOOD : CARDS[card],
  )
  const amount = payments.reduce((sum, one) => sum + one.amount, 0)
  const made = order(sellerId, { cards, amount })
  return { ...made, payments: made.payments.map((one, index) => ({ ...one, ...amountOf(payments[index]) })) }
}

function amountOf(payment: Story['payments'][number] | undefined): { amount: number } {
  return { amount: payment?.amount ?? 0 }
}

function answerOf(error: unknown): Answer {
  if (!(error instanceof DomainError)) throw error
  const { kind, reason } = error
  if (reason === 'IDEMPOTENCY_KEY_IN_USE') return { is: 'in_use' }
  if (kind === 'unavailable') return { is: reason === 'OUTCOME_UNKNOWN' ? 'unknown' : 'nothing' }
  if (kind === 'failed_precondition') return { is: 'refused', reason }
  throw error
}

/** The operations that the client's requests made. */
async function operationsOf({ scene, sellerId }: Play): Promise<string[]> {
  const { rows } = await scene.orders.pool.query<{ operation_id: string }>(
    `SELECT DISTINCT t.operation_id FROM transactions t JOIN charges c ON c.id = t.charge_id
     WHERE c.seller_id = $1 AND t.cause = 'REQUEST'`,
    [sellerId],
  )
  return rows.map((row) => row.operation_id)
}

/** An hour in which every call is answered. */
async function resolveAll({ scene, story }: Play): Promise<void> {
  const { pool } = scene.orders
  for (let round = 0; round < ROUNDS; round++) {
    const { rowCount } = await pool.query('SELECT FROM charges WHERE ask_at IS NOT NULL')
    if (rowCount === 0) break
    await scene.pass((60 / ROUNDS) * MINUTE_MS)
    await scene.watch(scene.sweep(), story.hurried)
  }
  await pool.query('UPDATE charges SET look_again_at = $1 WHERE look_again_at > $1', [new Date()])
  await lookAgain(scene.orders.deps)
}
