import { join } from 'node:path'
import { Eta } from 'eta'
import type { Response } from 'express'
import { type ErrorOut, errors, type KoaContextWithOIDC } from 'oidc-provider'
import { keepLanguage, keptLanguage, type Language, languageOf } from './language'
import { type Words, WORDS } from './words'

const eta = new Eta({ views: join(__dirname, '..', '..', 'views', 'identity'), cache: true })

/** The pages load nothing and run no script. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; base-uri 'none'"

export type PageName = 'sign-in' | 'choose-card' | 'consent' | 'failure'

export function renderPage(name: PageName, language: Language, facts: object): string {
  const words = WORDS[language]
  return eta.render(`./${name}`, { language, words, ...facts })
}

export function sendPage(
  response: Response,
  name: PageName,
  language: Language,
  facts: object,
  status = 200,
): void {
  response.status(status).set({ 'Content-Security-Policy': POLICY, 'Cache-Control': 'no-store' })
  keepLanguage(response, language)
  response.type('html').send(renderPage(name, language, facts))
}

/** Shows a person why a request cannot continue. Nothing of the request is quoted. */
export async function showFailure(ctx: KoaContextWithOIDC, { error }: ErrorOut, cause: Error): Promise<void> {
  const asked = ctx.oidc?.params?.['ui_locales'] ?? ctx.query['ui_locales']
  const uiLocales = asked ?? keptLanguage(ctx.get('cookie'))
  const language = languageOf(uiLocales, ctx.get('accept-language'))
  const reason = WORDS[language][reasonOf(error, cause)]
  ctx.set('Content-Security-Policy', POLICY)
  ctx.type = 'html'
  ctx.body = renderPage('failure', language, { reason, code: error })
}

function reasonOf(code: string, cause: Error): keyof Words {
  if (cause instanceof errors.SessionNotFound) return 'expired'
  if (code === 'invalid_client') return 'unknownClient'
  if (code === 'invalid_redirect_uri') return 'unknownReturn'
  return code === 'server_error' ? 'broken' : 'badRequest'
}
