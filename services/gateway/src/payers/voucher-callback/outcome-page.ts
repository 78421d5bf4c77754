import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Eta } from 'eta'
import type { RequestHandler, Response } from 'express'
import helmet from 'helmet'
import type { Language, Outcome } from './outcome-words'

/** tsc copies no templates: they are read from the folder beside src and dist. */
const VIEWS = join(__dirname, '../../../views/voucher-callback')

export type ShowOutcome = (res: Response, outcome: Outcome, language: Language) => void

/** A page without scripts and without anything to load: the cardholder knows no address of ours. */
export function createOutcomePage(baseUrl: string): { headers: RequestHandler; show: ShowOutcome } {
  const eta = new Eta({ views: VIEWS, cache: true })
  const css = readFileSync(join(VIEWS, 'page.css'), 'utf8')
  const show: ShowOutcome = (res, { status, mood, words }, language) => {
    const html = eta.render('./page', { css, mood, language, ...words[language] })
    res.set({ 'Cache-Control': 'no-store', 'Content-Language': language })
    res.status(status).type('html').send(html)
  }
  return { headers: pageHeaders(baseUrl, css), show }
}

/** The address of the page holds an authorization code, so no request may carry it as referrer (Referrer-Policy). */
function pageHeaders(baseUrl: string, css: string): RequestHandler {
  const hash = createHash('sha256').update(css).digest('base64')
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        styleSrc: [`'sha256-${hash}'`],
        imgSrc: ['data:'],
        formAction: ["'none'"],
        frameAncestors: ["'none'"],
        baseUri: ["'none'"],
      },
    },
    referrerPolicy: { policy: 'no-referrer' },
    frameguard: { action: 'deny' },
    strictTransportSecurity: baseUrl.startsWith('https:'),
  })
}
