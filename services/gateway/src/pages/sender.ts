import { timingSafeEqual } from 'node:crypto'
import { parseUrl } from '@cofre/platform/outbound/parse-url'
import type { Request } from 'express'

/**
 * True when the browser says that a form comes from a page of ours. For browsers that send neither Sec-Fetch-Site nor
 * Origin, the form's token alone decides.
 */
export function isFromHere(req: Request, baseUrl: string): boolean {
  const site = req.get('sec-fetch-site')
  if (site !== undefined) return site === 'same-origin'
  const origin = req.get('origin')
  if (origin === undefined || origin === new URL(baseUrl).origin) return true
  return parseUrl(origin)?.host === req.get('host')
}

/** Compares in a time that reveals nothing of the token. */
export function isSame(given: string, token: string): boolean {
  const [one, two] = [Buffer.from(given), Buffer.from(token)]
  return one.length === two.length && timingSafeEqual(one, two)
}
