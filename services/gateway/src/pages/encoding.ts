import type { Transform } from 'node:stream'
import { promisify } from 'node:util'
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib'
import type { Response } from 'express'
import Negotiator from 'negotiator'

/** The content codings of answers (RFC 9110, 8.4.1), the smallest first. */
const ENCODINGS = ['br', 'gzip', 'identity'] as const
export type Encoding = (typeof ENCODINGS)[number]

/** `kept` bytes are compressed once and sent many times, `passing` bytes are sent once. */
type Effort = 'kept' | 'passing'
// Brotli's best quality takes ten times as long as 9, and saves 5 % of the OpenAPI document.
const BROTLI_QUALITY: Record<Effort, number> = { kept: 9, passing: 4 }
const GZIP_LEVEL: Record<Effort, number> = { kept: 9, passing: 5 }

/** The types of the library do not have its second argument. */
type Preferring = {
  encoding(available: readonly string[], options: { preferred: readonly string[] }): Encoding | undefined
}

/**
 * Returns the encoding of an answer that has several: the one that the client likes best, and the smallest of equals;
 * plain bytes if it takes none of them.
 */
export function negotiateEncoding(res: Response): Encoding {
  res.vary('Accept-Encoding')
  const negotiator = new Negotiator(res.req) as Preferring
  return negotiator.encoding(ENCODINGS, { preferred: ENCODINGS }) ?? 'identity'
}

/** The header that names the encoding of what is sent. */
export function encodingHeader(encoding: Encoding): Record<string, string> {
  return encoding === 'identity' ? {} : { 'Content-Encoding': encoding }
}

/** Compresses outside the thread that serves. */
export async function compress(bytes: Buffer, encoding: Encoding, effort: Effort): Promise<Buffer> {
  if (encoding === 'br') return promisify(brotliCompress)(bytes, { params: brotliParams(effort) })
  if (encoding === 'gzip') return promisify(gzip)(bytes, { level: GZIP_LEVEL[effort] })
  return bytes
}

/** Returns a stream that compresses what passes, and holds back none of it. Undefined for plain bytes. */
export function compressing(encoding: Encoding): Transform | undefined {
  if (encoding === 'br')
    return createBrotliCompress({
      params: brotliParams('passing'),
      flush: constants.BROTLI_OPERATION_FLUSH,
    })
  if (encoding === 'gzip') return createGzip({ level: GZIP_LEVEL.passing, flush: constants.Z_SYNC_FLUSH })
  return undefined
}

function brotliParams(effort: Effort) {
  return { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY[effort] }
}
