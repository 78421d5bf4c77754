import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Response } from 'express'
import { compress, compressing, encodingHeader, negotiateEncoding } from '../pages/encoding'
import type { FixedAnswer } from '../pages/fixed-answer'

/**
 * The answer of a route. No body: the status alone. `text`: a body of any length that is made while it is sent.
 * `fixed`: an answer that is the same for everybody.
 */
export type Answer = {
  status: number
  headers?: Record<string, string>
  body?: unknown
  text?: AsyncIterable<string>
  fixed?: FixedAnswer
}

/** Writes an answer past Express, whose own writer costs a third of the time of a small request. */
export function sendAnswer(res: Response, answer: Answer, contentType = 'application/json'): void {
  write(res, answer, bytesOf(res, answer), contentType)
}

/** Shorter answers fit into few packets. No secret of ours is this long. */
const LONG = 8 * 1024

/**
 * Sends what a caller reads; a long answer is compressed if the caller takes that. Its length betrays no secret to other
 * sites (BREACH): it needs a token, which no browser adds by itself.
 */
export async function sendRead(res: Response, answer: Answer): Promise<void> {
  const bytes = bytesOf(res, answer)
  if (!bytes || bytes.length < LONG) return write(res, answer, bytes)
  const encoding = negotiateEncoding(res)
  const compressed = await compress(bytes, encoding, 'passing')
  write(res, { ...answer, headers: { ...answer.headers, ...encodingHeader(encoding) } }, compressed)
}

function bytesOf(res: Response, { body }: Answer): Buffer | undefined {
  res.locals.answer = body
  return body === undefined ? undefined : Buffer.from(JSON.stringify(body))
}

function write(
  res: Response,
  { status, headers = {} }: Answer,
  bytes?: Buffer,
  contentType = 'application/json',
): void {
  // Most answers belong to one seller. A route with a public answer sets its own Cache-Control.
  if (!headers['Cache-Control']) res.setHeader('Cache-Control', 'no-store')
  const ofBody = bytes ? { 'Content-Type': contentType, 'Content-Length': bytes.length } : {}
  res.writeHead(status, { ...ofBody, ...headers }).end(bytes)
}

/** A caller that takes nothing for this long is gone. */
const IDLE_MS = 60_000
/** Listeners of one answer: Node's pipeline adds several to the gateway's own, and Node warns from the eleventh. */
const MAX_LISTENERS = 30

/**
 * Sends a body while it is made, no faster than the caller takes it. A failure on the way cuts the connection, so that
 * the caller sees that the body is incomplete.
 */
export async function sendText(res: Response, { status, headers = {}, text }: Answer): Promise<void> {
  res.setHeader('Cache-Control', 'no-store')
  const encoding = negotiateEncoding(res)
  const encoder = compressing(encoding)
  res.writeHead(status, { ...headers, ...encodingHeader(encoding) })
  if (res.req.method === 'HEAD' || !text) return void res.end()
  res.setTimeout(IDLE_MS, () => res.destroy())
  res.setMaxListeners(MAX_LISTENERS)
  await (encoder ? pipeline(Readable.from(text), encoder, res) : pipeline(Readable.from(text), res))
}

/** A Link header (RFC 8288) from relation to URL. */
export function linkHeader(links: Record<string, string>): string {
  return Object.entries(links)
    .map(([rel, url]) => `<${url}>; rel="${rel}"`)
    .join(', ')
}
