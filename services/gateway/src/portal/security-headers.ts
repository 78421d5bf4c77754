import type { RequestHandler } from 'express'
import helmet from 'helmet'

/** Nothing is loaded from elsewhere, nothing inline runs, nobody frames a page. */
export function securityHeaders(baseUrl: string): RequestHandler {
  const secure = baseUrl.startsWith('https:')
  const self = ["'self'"]
  const none = ["'none'"]
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: none,
        styleSrc: self,
        scriptSrc: self,
        imgSrc: self,
        // The sums of a form, as it is typed.
        connectSrc: self,
        // The previews of payment page and letter.
        frameSrc: self,
        formAction: self,
        frameAncestors: none,
        baseUri: none,
      },
    },
    // Not `no-referrer`: browsers then send `Origin: null` with a form, and its origin could not be checked.
    referrerPolicy: { policy: 'same-origin' },
    frameguard: { action: 'deny' },
    strictTransportSecurity: secure,
  })
}
