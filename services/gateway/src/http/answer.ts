import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Response } from 'express'

/**
 * What a route answers. No body: the status alone. A body that is a Buffer is JSON already. `text`: a body that is made while it
 * is sent, of any length.
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
  // What is answered is one seller's; a route that answers what is public says so.
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

/** A caller that takes nothing for so long is gone. */
const IDLE_MS = 60_000
/** Of one answer: Node's pipeline adds several to those of the gateway, and Node warns from the eleventh. */
const MAX_LISTENERS = 30

/**
 * Sends a body while it is made, no faster than the caller takes it. What fails on the way cuts the connection: the caller
 * sees that the body is not whole.
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
