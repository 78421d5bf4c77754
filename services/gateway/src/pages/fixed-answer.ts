import { createHash } from 'node:crypto'
import type { Response } from 'express'
import { compress, encodingHeader, negotiateEncoding, type Encoding } from './encoding'

/** Sends bytes that are the same for everybody. `cacheControl`: by default, caches keep them and ask each time. */
export type FixedAnswer = (res: Response, cacheControl?: string) => Promise<void>

const ASK_EACH_TIME = 'public, no-cache'

/**
 * Makes an answer of bytes that do not change while the process lives. Each encoding is made at its first use and has a
 * strong ETag of its own. A slow reader keeps no copy of the bytes.
 */
export function fixedAnswer(bytes: Buffer, contentType: string): FixedAnswer {
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 22)
  const made = new Map<Encoding, Promise<Buffer>>()
  const bytesIn = (encoding: Encoding) => {
    const encoded = made.get(encoding) ?? compress(bytes, encoding, 'kept')
    made.set(encoding, encoded)
    return encoded
  }
  return async (res, cacheControl = ASK_EACH_TIME) => {
    const encoding = negotiateEncoding(res)
    const etag = encoding === 'identity' ? `"${hash}"` : `"${hash}-${encoding}"`
    res.set({ 'Cache-Control': cacheControl, ETag: etag })
    // Compares If-None-Match with the ETag (RFC 9110, 13.1.2).
    if (res.req.fresh) {
      res.status(304).end()
      return
    }
    const body = await bytesIn(encoding)
    const headers = { 'Content-Type': contentType, 'Content-Length': body.length }
    res.writeHead(200, { ...headers, ...encodingHeader(encoding) }).end(body)
  }
}
