import { notFound } from '@cofre/platform/errors'
import type { RequestHandler } from 'express'
import type { Deps } from '../../deps'
import { countStranger } from '../../http/authenticate'
import { countRunning, untilClosed } from '../../http/in-flight'
import { findLogo } from './logo-store'
import { PICTURE_TYPES } from './picture'

export const LOGOS = '/logos/:file'

/** Where the logos of this installation are. */
export function logosOf(baseUrl: string): string {
  return `${baseUrl}/logos/`
}

/** Shows a logo to anyone: it stands on payment pages and in letters. Its address names its bytes, so it never changes. */
export function showLogo(deps: Deps): RequestHandler {
  return async (req, res) => {
    countStranger(deps, req, res)
    const [, hash, ending] = /^([\w-]{43})\.(png|jpg|webp)$/.exec(String(req.params.file)) ?? []
    if (hash === undefined) throw notFound()
    countRunning(deps.inFlight, req, res)
    untilClosed(res, deps.inFlight.enter({}))
    const logo = await findLogo(deps.pool, hash)
    if (!logo || PICTURE_TYPES[ending as keyof typeof PICTURE_TYPES] !== logo.type) throw notFound()
    res
      .writeHead(200, {
        'Content-Type': logo.type,
        'Content-Length': logo.bytes.length,
        'Cache-Control': 'public, max-age=31536000, immutable',
        // A letter is shown by another site.
        'Cross-Origin-Resource-Policy': 'cross-origin',
        'X-Robots-Tag': 'noindex',
      })
      .end(logo.bytes)
  }
}
