import { randomBytes } from 'node:crypto'
import { callRpc, streamRepeatable } from '@cofre/platform/grpc/client'
import type { Replayable } from '@cofre/platform/grpc/replayable'
import type { Dispute, EvidenceHead, SubmitEvidenceRequest } from '@cofre/proto/orders/v1/disputes'
import type { Charge } from '@cofre/proto/orders/v1/orders'
import { askDisputes } from '../../src/sweepers/ask-disputes'
import { resolveAnswer, takeAnswers } from '../../src/sweepers/resolve-answers'
import { authorize, order } from './orders'
import type { SmallCase } from './small-disputes'
import { newSeller, type TestOrders } from './start-orders'

export const PDF = Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(150_000, 'x')])

export type Disputed = { charge: Charge; dispute: Dispute; found: SmallCase; number: string }

export function newNumber(): string {
  return String(1_000_000_000 + randomBytes(4).readUInt32BE())
}

/** A captured charge of 10000. */
export async function captured(
  orders: TestOrders,
  number = newNumber(),
): Promise<{ charge: Charge; number: string }> {
  const sellerId = await newSeller(orders, number)
  return { charge: await authorize(orders, order(sellerId, { capture: true })), number }
}

/** A captured charge that its card's holder disputes. */
export async function disputed(orders: TestOrders, changes: Partial<SmallCase> = {}): Promise<Disputed> {
  const { charge, number } = await captured(orders)
  const found = orders.acquirer.disputes.open(number, { sale: { tid: tidOf(charge) }, ...changes })
  const [dispute] = await ask(orders, charge.sellerId)
  if (!dispute) throw new Error('no dispute')
  return { charge, dispute, found, number }
}

export function tidOf(charge: Charge): string {
  return charge.payments[0]?.acquirer?.tid ?? ''
}

/** Asks the acquirer now, and returns the seller's disputes, the newest first. */
export async function ask(orders: TestOrders, sellerId: number): Promise<Dispute[]> {
  await orders.pool.query(
    `UPDATE establishments SET disputes_ask_at = CASE WHEN seller_id = $1 THEN now() - interval '1 hour'
       ELSE now() + interval '1 day' END WHERE disputes_ask_at IS NOT NULL`,
    [sellerId],
  )
  await askDisputes(orders.deps)
  return list(orders, sellerId)
}

export async function list({ disputes }: TestOrders, sellerId: number): Promise<Dispute[]> {
  const none = { chargeId: undefined, openedFrom: undefined, openedTo: undefined, respondByTo: undefined }
  const request = { sellerId, page: 0, size: 10, statuses: [], after: undefined, ...none }
  return (await callRpc(disputes, disputes.listDisputes, request)).disputes
}

export function read(
  { disputes }: Pick<TestOrders, 'disputes'>,
  { sellerId, id }: Dispute,
): Promise<Dispute> {
  return callRpc(disputes, disputes.getDispute, { sellerId, disputeId: id })
}

export function accept(
  { disputes }: Pick<TestOrders, 'disputes'>,
  { sellerId, id }: Dispute,
): Promise<Dispute> {
  return callRpc(disputes, disputes.acceptDispute, {
    sellerId,
    disputeId: id,
    answeredBy: 'ana@shop.example',
  })
}

export function contest(
  { disputes }: Pick<TestOrders, 'disputes'>,
  { sellerId, id }: Pick<Dispute, 'sellerId' | 'id'>,
  { file = PDF, ...changes }: { file?: Buffer | AsyncIterable<Buffer> } & Partial<EvidenceHead> = {},
): Promise<Replayable<Dispute>> {
  const head = {
    sellerId,
    disputeId: id,
    contentType: 'application/pdf',
    fileName: 'entrega.pdf',
    reason: 'O titular assinou a entrega.',
    answeredBy: 'ana@shop.example',
    ...changes,
  }
  const chunks = Buffer.isBuffer(file) ? pieces(file) : file
  return streamRepeatable(disputes, disputes.submitEvidence, messages(head, chunks), { timeoutMs: 20_000 })
}

async function* messages(
  head: EvidenceHead,
  chunks: AsyncIterable<Buffer>,
): AsyncGenerator<SubmitEvidenceRequest> {
  yield { head }
  let size = 0
  for await (const bytes of chunks) {
    size += bytes.length
    yield { bytes }
  }
  yield { size }
}

async function* pieces(file: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < file.length; at += 65_536) yield file.subarray(at, at + 65_536)
}

/** Runs one turn of the sweeper that learns what became of answers, however soon. */
export async function resolveAnswers({ pool, deps }: Pick<TestOrders, 'pool' | 'deps'>): Promise<void> {
  await pool.query("UPDATE disputes SET ask_at = now() - interval '1 minute' WHERE ask_at IS NOT NULL")
  const taken = await takeAnswers(deps, 20)
  await Promise.all(taken.map((key) => resolveAnswer(deps, key)))
}

/** Lets the time pass in which an answer could still have arrived. */
export async function passAnswerDeadline({ pool }: Pick<TestOrders, 'pool'>): Promise<void> {
  await pool.query(
    "UPDATE disputes SET answer_deadline = now() - interval '1 hour' WHERE answer_deadline IS NOT NULL",
  )
}

/** How many pieces of files are kept. */
export async function keptPieces({ pool }: Pick<TestOrders, 'pool'>): Promise<number> {
  const { rows } = await pool.query<{ count: number }>('SELECT count(*) AS count FROM evidence_chunks')
  return rows[0]?.count ?? 0
}

/** The events of a dispute, in order. */
export async function eventsOf({ pool }: Pick<TestOrders, 'pool'>, { id }: Dispute): Promise<string[]> {
  const { rows } = await pool.query<{ type: string; value: string }>(
    "SELECT type, value FROM outbox WHERE topic = 'disputes.v1' AND key = $1 ORDER BY id",
    [String(id)],
  )
  rows.forEach(({ value }, index) => {
    const sequence = Number((JSON.parse(value) as { sequence: string }).sequence)
    if (sequence !== index + 1) throw new Error('a gap in the sequence of events')
  })
  return rows.map(({ type }) => type)
}
