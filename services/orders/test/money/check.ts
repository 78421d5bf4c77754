import { isDeepStrictEqual } from 'node:util'
import { ChargeEvent } from '@cofre/proto/orders/v1/events'
import {
  ChargeStatus,
  chargeStatusToJSON,
  TransactionStatus,
  TransactionType,
  type Charge,
} from '@cofre/proto/orders/v1/orders'
import { readCharge } from '../../src/charge-store/charge-store'
import type { Charge as Book, Payment } from '../../src/charge/charge'
import type { AcquirerPayment } from '../support/small-acquirer'
import { sumFindings } from './check-sums'
import { toldOf, type Action, type Play } from './play'

type Finding = string | false | undefined

/** The disagreements when a story is over, among the acquirer's book, ours, and the client's answers. */
export async function findings(play: Play): Promise<string[]> {
  const { scene, sellerId, actions, reads } = play
  const { rows } = await scene.orders.pool.query<{ id: number }>(
    'SELECT id FROM charges WHERE seller_id = $1 ORDER BY id',
    [sellerId],
  )
  const stored = await Promise.all(rows.map(({ id }) => readCharge(scene.orders.pool, { sellerId, id })))
  const books = stored.map(({ charge }) => charge)
  const told = actions.flatMap(({ sends }) => sends.flatMap(({ answers }) => answers))
  const shown = [...reads, ...told.flatMap((one) => (one.is === 'told' ? [one.charge] : []))]
  const found: Finding[] = [
    ...(await unrest(play)),
    ...books.flatMap((book) => bookFindings(play, book)),
    ...(await eventFindings(play, books)),
    ...(await sumFindings(scene.orders.pool, sellerId, books)),
    ...shown.flatMap((charge) => shownFindings(charge, books)),
    ...actions.flatMap((action) => actionFindings(play, action, books)),
    ...scene.violations.map(violation),
  ]
  return found.filter((one) => typeof one === 'string')
}

function violation(facts: unknown): Finding {
  const { invariant, err } = facts as { invariant?: string; err?: Error }
  if (invariant) return `logged as violated: ${JSON.stringify(facts)}`
  return err && err.message !== 'Connection terminated unexpectedly' && `logged: ${err.stack}`
}

async function unrest({ scene, sellerId }: Play): Promise<Finding[]> {
  const { rows } = await scene.orders.pool.query<{ what: string }>(
    `SELECT 'pending: ' || t.type || ' ' || t.id AS what FROM transactions t JOIN charges c ON c.id = t.charge_id
       WHERE c.seller_id = $1 AND t.status = 'PENDING'
     UNION ALL SELECT 'in flight: ' || key FROM idempotency WHERE seller_id = $1 AND response IS NULL
     UNION ALL SELECT 'pending: charge ' || id FROM charges
       WHERE seller_id = $1 AND (status = 'PENDING' OR ask_at IS NOT NULL)`,
    [sellerId],
  )
  return rows.map(({ what }) => `an hour later still ${what}`)
}

const sum = (amounts: readonly number[]) => amounts.reduce((total, each) => total + each, 0)

/** Checks that our side of a charge equals the acquirer's side, payment by payment. */
function bookFindings({ scene }: Play, book: Book): Finding[] {
  const isOver = book.status === 'FAILED' || book.status === 'DENIED'
  const totals = [
    sum(book.payments.map((one) => one.capturedAmount)),
    sum(book.payments.map((one) => one.refundedAmount)),
  ]
  const isTaken = book.capturedAmount > 0
  return [
    !isDeepStrictEqual([book.capturedAmount, book.refundedAmount], totals) &&
      `totals of ${book.id} are not sums`,
    book.capturedAmount > book.authorizedAmount && `${book.id} captured more than authorized`,
    book.refundedAmount > book.capturedAmount && `${book.id} refunded more than captured`,
    ...book.payments.flatMap((payment): Finding[] => {
      const theirs = scene.orders.acquirer.ofOrder(payment.orderNumber)
      const at = `payment ${payment.position} of ${book.id}, ${payment.status} here`
      const [one] = theirs
      return [
        theirs.length > 1 && `${at}, was sold ${theirs.length} times`,
        !agrees(payment, one) && `${at} (${amountsOf(payment)}), is ${one ? describe(one) : 'absent'} there`,
        (isOver || isTaken) && one?.status === 1 && `${at}, is still held`,
        isOver && one?.status === 2 && `${at}, is captured for nothing`,
        ...doneFindings(payment, one, at),
      ]
    }),
    ...sentFindings(scene, book),
  ]
}

const amountsOf = ({ capturedAmount, refundedAmount }: Payment) => `${capturedAmount}-${refundedAmount}`
const describe = ({ status, amount, capturedAmount, voidedAmount }: AcquirerPayment) =>
  `${status} (${amount}, ${capturedAmount}-${voidedAmount})`

function agrees(payment: Payment, theirs: AcquirerPayment | undefined): boolean {
  const { status, amount, capturedAmount, refundedAmount } = payment
  if (status === 'DENIED' || status === 'FAILED')
    return !theirs || theirs.status === 3 || theirs.status === 10
  if (theirs?.amount !== amount) return false
  const isVoided = status === 'VOIDED' || status === 'EXPIRED'
  const given = isVoided ? amount : refundedAmount
  const wanted = isVoided || status === 'REFUNDED' ? 10 : capturedAmount > 0 ? 2 : 1
  return isDeepStrictEqual(
    [theirs.status, theirs.capturedAmount, theirs.voidedAmount],
    [wanted, capturedAmount, given],
  )
}

function doneFindings(payment: Payment, theirs: AcquirerPayment | undefined, at: string): Finding[] {
  const done = theirs?.done ?? []
  const marks = done.map(({ kind, requestId }) => `${kind} ${requestId}`)
  const taken = sum(done.filter(({ kind }) => kind === 'capture').map(({ amount }) => amount))
  return [
    new Set(marks).size < marks.length && `${at}, had an operation done twice`,
    taken > payment.amount && `${at}, was captured beyond its amount`,
  ]
}

const TURNED_AWAY = ['not_sent', 'busy', 'http_401', 'http_403', 'http_429']
const KINDS = { AUTHORIZATION: 'sale', CAPTURE: 'capture', VOID: 'void', REFUND: 'void' } as const

/** Checks that a client's request reaches the acquirer once, unless it was turned away there. */
function sentFindings({ partner }: Play['scene'], book: Book): Finding[] {
  return book.transactions.map(({ cause, type, position, operationId }) => {
    const orderNumber = book.payments[position]?.orderNumber
    const calls = partner.sent.filter(
      (one) => one.requestId === operationId && one.orderNumber === orderNumber && one.kind === KINDS[type],
    )
    const arrived = calls.filter(({ fault }) => type === 'AUTHORIZATION' || !TURNED_AWAY.includes(fault))
    return cause === 'REQUEST' && arrived.length > 1 && `${type} of payment ${position} was sent twice`
  })
}

async function eventFindings({ scene }: Play, books: readonly Book[]): Promise<Finding[]> {
  const { rows } = await scene.orders.pool.query<{ value: string; id: number }>(
    'WITH gone AS (DELETE FROM outbox RETURNING id, value) SELECT id, value FROM gone ORDER BY id',
  )
  const events = rows.map(({ value }) => ChargeEvent.fromJSON(JSON.parse(value)))
  return books.flatMap((book): Finding[] => {
    const told = events.filter(({ charge }) => charge?.id === book.id)
    const sequence = told.map((event) => event.sequence)
    const last = told.at(-1)?.charge
    return [
      !isDeepStrictEqual(
        sequence,
        [...sequence.keys()].map((key) => key + 1),
      ) && `events of ${book.id}: ${sequence.join(' ')}`,
      (last?.status !== ChargeStatus[book.status] || last.refundedAmount !== book.refundedAmount) &&
        `the last event of ${book.id} tells ${last?.status} ${last?.refundedAmount}`,
    ]
  })
}

/** Checks that a charge as shown is consistent, and a stage on the way to its final state. */
function shownFindings(charge: Charge, books: readonly Book[]): Finding[] {
  const book = books.find(({ id }) => id === charge.id)
  if (!book) return [`told of charge ${charge.id}, which does not exist`]
  const { authorizedAmount, capturedAmount, refundedAmount, transactions } = charge
  const total = (type: TransactionType, ...statuses: TransactionStatus[]) =>
    sum(
      transactions
        .filter((one) => one.type === type && statuses.includes(one.status))
        .map((one) => one.amount),
    )
  const { SUCCEEDED, PENDING } = TransactionStatus
  const about = `charge ${charge.id} was shown as ${JSON.stringify(shortOf(charge))}`
  return [
    capturedAmount !== total(TransactionType.CAPTURE, SUCCEEDED) && `${about}: captured is not its captures`,
    refundedAmount !== total(TransactionType.REFUND, SUCCEEDED) && `${about}: refunded is not its refunds`,
    capturedAmount > authorizedAmount && `${about}: captured more than authorized`,
    total(TransactionType.REFUND, SUCCEEDED, PENDING) > capturedAmount &&
      `${about}: refunds beyond the captured`,
    authorizedAmount > 0 && book.authorizedAmount !== authorizedAmount && `${about}: it was not authorized`,
    capturedAmount > book.capturedAmount && `${about}: ${book.capturedAmount} was captured`,
    refundedAmount > book.refundedAmount && `${about}: ${book.refundedAmount} was refunded`,
    ...transactions.map(({ id, status, amount }) => {
      const now = book.transactions.find((one) => one.id === id)
      const isSame = status === PENDING || (now && TransactionStatus[now.status] === status)
      return (
        (!isSame || now?.amount !== amount) &&
        `${about}: transaction ${id} became ${now?.status} ${now?.amount}`
      )
    }),
  ]
}

function shortOf({ status, capturedAmount, refundedAmount, transactions }: Charge) {
  return [
    chargeStatusToJSON(status),
    capturedAmount,
    refundedAmount,
    transactions.map((one) => one.status).join(''),
  ]
}

/** Checks that a key has one answer and at most one effect, and that a request reported as not done did nothing. */
function actionFindings({ scene }: Play, action: Action, books: readonly Book[]): Finding[] {
  const requested = (operation: string) =>
    books.flatMap(({ transactions }) =>
      transactions.filter((one) => one.operationId === operation && one.cause === 'REQUEST'),
    )
  const kind = action.does === 'capture' ? 'capture' : 'void'
  const happened = (operation: string) =>
    action.does === 'order'
      ? books.some(
          ({ status, transactions }) => transactions[0]?.operationId === operation && status !== 'FAILED',
        )
      : requested(operation).some(({ status }) => status === 'SUCCEEDED') ||
        scene.orders.acquirer.payments.some(({ done }) =>
          done.some((one) => one.requestId === operation && one.kind === kind),
        )
  const operations = action.sends.flatMap((one) => one.operations)
  const effects = operations.filter(happened)
  const first = toldOf(action)
  const from = action.sends.findIndex(({ answers }) => answers.some(({ is }) => is === 'told'))
  return [
    effects.length > 1 && `${action.key} had ${effects.length} effects`,
    ...action.sends.map(({ answers, operations: made }) => {
      const isVain = answers.every(({ is }) => is === 'nothing' || is === 'refused' || is === 'in_use')
      const said = answers.map((one) => (one.is === 'refused' ? one.reason : one.is)).join(' and ')
      if (isVain && made.some(happened)) return `${action.key} was answered ${said}, and it happened`
      return made.length > answers.length && `${action.key} became ${made.length} operations`
    }),
    ...action.sends.flatMap(({ answers, struck }, nth) =>
      answers.map((answer) => {
        if (answer.is === 'told')
          return !isDeepStrictEqual(answer.charge, first) && `${action.key} has two answers`
        const isLost = struck && (answer.is === 'unknown' || answer.is === 'nothing')
        return from >= 0 && nth > from && !isLost && `${action.key}, once answered, was ${answer.is}`
      }),
    ),
    ...action.sends.map((one) => refusalFinding(action, one)),
  ]
}

/** Checks that a request is refused exactly when the charge as last seen did not allow it. */
function refusalFinding(action: Action, { answers, before, operations }: Action['sends'][number]): Finding {
  if (!before || action.does === 'order') return undefined
  const refused = answers.find((one) => one.is === 'refused')
  const pending = before.transactions.some(({ status }) => status === TransactionStatus.PENDING)
  const held = sum(
    before.payments.filter(({ status }) => status === ChargeStatus.AUTHORIZED).map(({ amount }) => amount),
  )
  const isHeld = before.status === ChargeStatus.AUTHORIZED && held > 0
  const left = before.capturedAmount - before.refundedAmount
  const { amount } = action
  const isOpen = action.does === 'capture' || isHeld ? isHeld : left > 0
  const most = isHeld ? held : left
  const fits = amount === undefined || (action.does === 'refund' && isHeld ? amount === most : amount <= most)
  const isDue = !(isOpen && fits)
  const about = `of ${JSON.stringify(shortOf(before))}, where ${most} was left`
  if (refused && !pending && !isDue) return `${action.key} was refused (${refused.reason}) ${about}`
  return operations.length > 0 && isDue && !pending
    ? `${action.key} of ${amount} was begun ${about}`
    : undefined
}
