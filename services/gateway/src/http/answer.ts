import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Response } from 'express'

/**
 * The answer of a route. No body: the status alone. A body that is a Buffer is JSON already. `text`: a body of any
 * length that is made while it is sent.
 */
export type Answer = {
  status: number
  headers?: Record<string, string>
  body?: unknown
  text?: AsyncIterable<string>
}

/** Writes an answer past Express, whose own writer costs a third of the time of a small request. */
export function sendAnswer(
  res: Response,
  { status, headers = {}, body }: Answer,
  contentType = 'application/json',
): void {
  res.locals.answer = body
  // Most answers belong to one seller. A route with a public answer sets its own Cache-Control.
  if (!headers['Cache-Control']) res.setHeader('Cache-Control', 'no-store')
  if (body === undefined) {
    res.writeHead(status, headers).end()
    return
  }
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body))
  res
    .writeHead(status, { 'Content-Type': contentType, 'Content-Length': bytes.length, ...headers })
    .end(bytes)
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
  res.writeHead(status, headers)
  if (res.req.method === 'HEAD' || !text) return void res.end()
  res.setTimeout(IDLE_MS, () => res.destroy())
  res.setMaxListeners(MAX_LISTENERS)
  await pipeline(Readable.from(text), res)
}

/** A Link header (RFC 8288) from relation to URL. */
export function linkHeader(links: Record<string, string>): string {
  return Object.entries(links)
    .map(([rel, url]) => `<${url}>; rel="${rel}"`)
    .join(', ')
}
