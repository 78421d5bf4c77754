import type { IncomingMessage, ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { DomainError, type FieldError } from '@cofre/platform/errors'
import { isBounded } from '@cofre/platform/json'
import { jsonFault } from '@cofre/platform/json-fault'
import { lostInParsing } from '@cofre/platform/json-source'
import { awaitsContinue } from './body/expectation'

export const MAX_BODY_BYTES = 256 * 1024
/** A body that is too large is read up to here, so that a client that finished sending gets the answer. */
const MAX_DRAINED_BYTES = 4 * 1024 * 1024

/**
 * The sender of a body has this long: a sender of single bytes keeps a place from the others. At a token's usual limit
 * of 100 requests a second, such bodies take fewer places than there are.
 */
const BODY_MS = 4_000

/** A larger body takes long enough to parse and to search that others should not queue behind several of them. */
const LARGE_BYTES = 16 * 1024

/**
 * Returns the body of a request, empty when there is none. Throws BODY_TOO_LARGE, counted while it is read. Throws
 * MALFORMED_JSON when the body does not come in time; the connection then closes with the answer.
 */
export async function readBody(
  req: IncomingMessage,
  res: ServerResponse,
  maxBytes = MAX_BODY_BYTES,
): Promise<Buffer> {
  // The client waits for 100 Continue: this answer comes first, and the body never.
  if (awaitsContinue(req) && lengthOf(req) > maxBytes) throw tooLarge(req, maxBytes)
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<'late'>((resolve) => (timer = setTimeout(resolve, BODY_MS, 'late')))
  // First read the bytes that came while this process was busy elsewhere.
  const reallyLate = late.then(() => nextTurn()).then(() => nextTurn('late' as const))
  const body = readWhole(req, maxBytes)
  // A body that is given up fails when the connection ends, and nobody waits for it then.
  body.catch(() => {})
  const first = await Promise.race([body, reallyLate]).finally(() => clearTimeout(timer))
  if (first !== 'late') return first
  res.setHeader('Connection', 'close')
  throw malformed(`The body did not arrive within ${BODY_MS / 1_000} s.`)
}

async function readWhole(req: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  // Leaving the loop must not cut the connection: an answer follows.
  for await (const chunk of req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size <= maxBytes) chunks.push(chunk)
    else if (size > MAX_DRAINED_BYTES) break
  }
  if (size > maxBytes) throw tooLarge(req, maxBytes)
  return Buffer.concat(chunks)
}

let lastLarge: Promise<void> = Promise.resolve()

/**
 * Waits for the turn of a large body to be parsed, after those that came before it: one in each turn of the event loop, so that
 * small requests come in between. The caller holds a place, so what waits here is bounded.
 */
export async function turnOf({ length }: Buffer): Promise<void> {
  if (length <= LARGE_BYTES) return
  lastLarge = lastLarge.then(() => nextTurn())
  await lastLarge
}

/** The announced length of a body; 0 when it comes in chunks. */
export function lengthOf({ headers }: IncomingMessage): number {
  return Number(headers['content-length'] ?? 0)
}

function tooLarge(req: IncomingMessage, maxBytes: number): DomainError {
  const size = lengthOf(req) > 0 ? String(lengthOf(req)) : `more than ${maxBytes}`
  const message = `This body has ${size} bytes. At most ${maxBytes} are accepted.`
  return new DomainError('invalid_argument', 'BODY_TOO_LARGE', message)
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Returns the value of a client's body, and the faults of what parsing lost of it. Throws MALFORMED_JSON, which quotes
 * nothing of the body, also for a body that is too deep to walk.
 */
export function parseSent(body: Uint8Array): { value: unknown; lost: FieldError[] } {
  const { value, text } = parse(body)
  if (!isBounded(value)) throw malformed('The body is too deep, or has too many values.')
  return { value, lost: lostInParsing(text) }
}

function parse(body: Uint8Array): { value: unknown; text: string } {
  try {
    const text = utf8.decode(body)
    return { value: JSON.parse(text) as unknown, text }
  } catch {
    throw malformed(jsonFault(body))
  }
}

export function malformed(message: string): DomainError {
  return new DomainError('invalid_argument', 'MALFORMED_JSON', message)
}
