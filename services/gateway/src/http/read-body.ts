import type { IncomingMessage, ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { DomainError } from '@cofre/platform/errors'
import { isBounded } from '@cofre/platform/json'
import { jsonFault } from '@cofre/platform/json-fault'

export const MAX_BODY_BYTES = 256 * 1024
/** A body that is too large is read up to here, so that a client that finished sending gets the answer. */
const MAX_DRAINED_BYTES = 4 * 1024 * 1024

/**
 * The sender of a body has this long: a sender of single bytes keeps a place from the others. At a token's usual limit
 * of 100 requests a second, such bodies take fewer places than there are.
 */
const BODY_MS = 4_000

/**
 * Returns the body of a request, empty when there is none. Throws BODY_TOO_LARGE, counted while it is read. Throws
 * MALFORMED_JSON when the body does not come in time; the connection then closes with the answer.
 */
export async function readBody(
  req: IncomingMessage,
  res: ServerResponse,
  maxBytes = MAX_BODY_BYTES,
): Promise<Buffer> {
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
  if (size > maxBytes) {
    throw new DomainError('invalid_argument', 'BODY_TOO_LARGE', `A body has at most ${maxBytes} bytes.`)
  }
  return Buffer.concat(chunks)
}

/** Throws UNSUPPORTED_MEDIA_TYPE unless the body says that it is plain UTF-8 JSON. */
export function requireJson(req: IncomingMessage): void {
  const encoding = req.headers['content-encoding'] ?? 'identity'
  const type = req.headers['content-type'] ?? ''
  if (encoding !== 'identity' || !/^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(type.trim())) {
    throw new DomainError('invalid_argument', 'UNSUPPORTED_MEDIA_TYPE', 'Send application/json in UTF-8.')
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Throws MALFORMED_JSON, which quotes nothing of the body, also for a body that is too deep to walk. */
export function parseJson(body: Uint8Array): unknown {
  const value = parse(body)
  if (!isBounded(value)) throw malformed('The body is too deep, or has too many values.')
  return value
}

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(body)) as unknown
  } catch {
    throw malformed(jsonFault(body))
  }
}

export function malformed(message: string): DomainError {
  return new DomainError('invalid_argument', 'MALFORMED_JSON', message)
}
