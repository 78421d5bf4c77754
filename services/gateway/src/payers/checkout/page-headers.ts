import type { RequestHandler, Response } from 'express'
import helmet from 'helmet'

/** The headers of every answer, pages or not. Each page loosens the policy for its own elements and nothing else. */
export function plainHeaders(baseUrl: string): RequestHandler[] {
  const headers = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"], baseUri: ["'none'"] },
    },
    // No other site learns the page's address. Not `no-referrer`: forms would come with `Origin: null` (see portal).
    referrerPolicy: { policy: 'same-origin' },
    frameguard: { action: 'deny' },
    strictTransportSecurity: baseUrl.startsWith('https:'),
  })
  const neverFound: RequestHandler = (_req, res, next) => {
    res.set('X-Robots-Tag', 'noindex, nofollow')
    next()
  }
  return [headers, neverFound]
}

/** Allows only elements that carry this page's nonce and, from other sites, only the seller's logo. Nobody frames it. */
export function allowPage(
  res: Response,
  { nonce, logoUrl, framedBy = "'none'" }: { nonce: string; logoUrl: string; framedBy?: "'none'" | "'self'" },
): void {
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    `img-src 'self'${logoUrl === '' ? '' : ` ${sourceOf(logoUrl)}`}`,
    "connect-src 'self'",
    "form-action 'self'",
    `frame-ancestors ${framedBy}`,
    "base-uri 'none'",
  ]
  if (framedBy === "'self'") res.set('X-Frame-Options', 'SAMEORIGIN')
  res.set('Content-Security-Policy', policy.join('; '))
}

/** Returns a URL as a source of a policy, without parts forbidden there (CSP, 2.3.1): it allows this picture alone. */
function sourceOf(url: string): string {
  const { origin, pathname } = new URL(url)
  return `${origin}${pathname.replaceAll(/[;,]/g, encodeURIComponent)}`
}
