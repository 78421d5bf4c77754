import { createHash } from 'node:crypto'
import { DomainError, unavailable } from '@cofre/platform/errors'
import type { Replayable } from '@cofre/platform/grpc/replayable'
import { newMark, type Mark } from '@cofre/platform/idempotency/mark'
import type { Dispute, EvidenceHead, SubmitEvidenceRequest } from '@cofre/proto/orders/v1/disputes'
import type { Disputes } from '../acquirer/dispute-cases'
import { fault, invalidRequest, throwFaults } from '../charge/order-check'
import type { Deps } from '../deps'
import { dropFile, keepChunk } from '../dispute-store/evidence-store'
import { readDispute } from '../dispute-store/dispute-store'
import { answerDispute } from '../disputes/answer-dispute'
import { beginningFault, beginsAs, headFaults } from '../disputes/evidence-check'

/** A message of the caller has at most this many bytes. */
const CHUNK_MAX = 64 * 1024

/**
 * Keeps a file as it comes, then contests the dispute with it. A repeat is known by the whole file, so it is kept too
 * until then; of a file that led to nothing, nothing stays.
 */
export async function submitEvidence(
  deps: Deps,
  messages: AsyncIterable<SubmitEvidenceRequest>,
): Promise<Replayable<Dispute>> {
  const parts = messages[Symbol.asyncIterator]()
  const head = (await parts.next()).value?.head as EvidenceHead | undefined
  if (!head) throw invalidRequest([fault('#', 'REQUIRED', 'the first message must be the head')])
  const key = { sellerId: head.sellerId, id: head.disputeId }
  const { acquirer } = await readDispute(deps.pool, key)
  const { disputes } = deps.acquirers[acquirer]
  if (!disputes) throw new Error('a dispute at an acquirer that shows none')
  throwFaults(headFaults(head, disputes.evidence))
  const mark = newMark(head.sellerId)
  try {
    const { size, hash } = await keepFile(deps, mark, head, { parts, limits: disputes.evidence })
    const { fileName, contentType, reason, answeredBy: by } = head
    const wanted = { kind: 'CONTEST' as const, by, evidence: { fileName, contentType, size, reason } }
    const answered = await answerDispute(deps, key, { mark: withFile(mark, hash), wanted })
    await dropFile(deps.pool, mark.operationId)
    return answered
  } catch (error) {
    // Another error may hide that the intention was saved: a sweeper deletes the file, or sends it.
    if (error instanceof DomainError) await dropFile(deps.pool, mark.operationId)
    throw error
  }
}

/** The mark of a request whose body is the head and the file. */
function withFile(mark: Mark, hash: string): Mark {
  if (!mark.key) return mark
  const { fingerprint, otherFingerprints } = mark.key
  const withHash = (print: string) => `${print} ${hash}`
  const others = otherFingerprints ? { otherFingerprints: otherFingerprints.map(withHash) } : {}
  return { ...mark, key: { ...mark.key, fingerprint: withHash(fingerprint), ...others } }
}

type Sent = { parts: AsyncIterator<SubmitEvidenceRequest>; limits: Disputes['evidence'] }

async function keepFile(
  { pool }: Deps,
  { operationId }: Mark,
  { contentType }: EvidenceHead,
  { parts, limits }: Sent,
): Promise<{ size: number; hash: string }> {
  const hash = createHash('sha256')
  let size = 0
  for (let position = 0; ; position += 1) {
    const { value, done } = await parts.next()
    // A connection that broke looks like the end of the messages.
    if (done || (value.size !== undefined && value.size !== size)) throw unavailable('The file was cut off.')
    if (value.size !== undefined) break
    const { bytes } = value
    if (!bytes || bytes.length === 0 || bytes.length > CHUNK_MAX)
      throw invalidRequest([fault('#/file', 'LENGTH', `must come in pieces of 1 to ${CHUNK_MAX} bytes`)])
    if (position === 0 && !beginsAs(contentType, bytes)) throw invalidRequest([beginningFault(contentType)])
    size += bytes.length
    if (size > limits.bytesMax) throw tooLarge(limits.bytesMax)
    hash.update(bytes)
    await keepChunk(pool, operationId, position, bytes)
  }
  if (size === 0) throw invalidRequest([fault('#/file', 'REQUIRED', 'must not be empty')])
  return { size, hash: hash.digest('base64') }
}

function tooLarge(max: number): DomainError {
  const message = `The file is too large: the acquirer takes at most ${max} bytes.`
  return new DomainError('invalid_argument', 'BODY_TOO_LARGE', message)
}
