import { DomainError } from '@cofre/platform/errors'
import { callRpc } from '@cofre/platform/grpc/client'
import type { FinishRedirectRequest } from '@cofre/proto/vouchers/v1/vouchers'
import { Router, type Request, type Response } from 'express'
import type { Deps } from '../../deps'
import { countStranger } from '../../http/authenticate'
import { countRunning, untilClosed } from '../../http/in-flight'
import { queryOf } from '../../http/read-request'
import { createOutcomePage } from './outcome-page'
import {
  BEING_CHECKED,
  LINK_UNUSABLE,
  outcomeOf,
  UNAVAILABLE,
  type Language,
  type Outcome,
} from './outcome-words'

/** The path to which a brand's identity provider returns the cardholder's browser. */
export const VOUCHER_CALLBACKS = '/partners/:brand/callback'

/** The longest value that an identity provider may send. */
const MAX_VALUE = 2_000
/** The service asks the identity provider for tokens and for a card in this time. */
const FINISHING = { timeoutMs: 25_000, writes: true }
/** For a person, who starts over at the shop. */
const RETRY_AFTER_SECONDS = '60'

type End = { outcome: Outcome; uiLocale: string }
type Brought = Omit<FinishRedirectRequest, 'brandSegment'>

/**
 * Ends the redirect flow of a voucher token and shows the outcome to the cardholder. Not part of the integrators' API.
 * The query holds an authorization code, which goes to the service and nowhere else.
 */
export function voucherCallback(deps: Deps): Router {
  const { headers, show } = createOutcomePage(deps.baseUrl)
  const router = Router({ caseSensitive: true })
  router.use(VOUCHER_CALLBACKS, headers)
  router.all(VOUCHER_CALLBACKS, async (req, res) => {
    // A HEAD would use up the code and show nobody the outcome.
    if (req.method !== 'GET') throw onlyGet(res)
    const { outcome, uiLocale } = await finish(deps, req, res)
    if (outcome.status === 429 || outcome.status === 503) res.set('Retry-After', RETRY_AFTER_SECONDS)
    show(res, outcome, languageOf(req, uiLocale))
  })
  return router
}

function onlyGet(res: Response): DomainError {
  res.setHeader('Allow', 'GET')
  return new DomainError('invalid_argument', 'METHOD_NOT_ALLOWED', 'Allowed here: GET.')
}

/** Never throws: the cardholder always sees a page. */
async function finish(deps: Deps, req: Request, res: Response): Promise<End> {
  try {
    countStranger(deps, req, res)
    countRunning(deps.inFlight, req, res)
    untilClosed(res, deps.inFlight.enter({ callsPartner: 'issuers' }))
    const brought = readBrought(req)
    if (!brought) return { outcome: LINK_UNUSABLE, uiLocale: '' }
    const { vouchers } = deps.services
    const request = { brandSegment: String(req.params.brand), ...brought }
    const { outcome, uiLocale } = await callRpc(vouchers, vouchers.finishRedirect, request, FINISHING)
    return { outcome: outcomeOf(outcome), uiLocale }
  } catch (error) {
    return failed(deps, error)
  }
}

function failed({ log }: Deps, error: unknown): End {
  if (!(error instanceof DomainError)) {
    log.error({ err: error }, 'a voucher callback failed')
    return { outcome: { ...UNAVAILABLE, status: 500 }, uiLocale: '' }
  }
  const { kind, reason } = error
  log.info({ reason }, 'a voucher callback was refused')
  if (reason === 'OUTCOME_UNKNOWN') return { outcome: BEING_CHECKED, uiLocale: '' }
  if (kind !== 'unavailable' && kind !== 'rate_limited') return { outcome: LINK_UNUSABLE, uiLocale: '' }
  const status = kind === 'rate_limited' ? 429 : 503
  return { outcome: { ...UNAVAILABLE, status }, uiLocale: '' }
}

/** A state sealed by vouchers: the id of a key, and the text sealed under it. */
const STATE = /^[\w-][\w.-]{0,63}\.[\w-]{40,1900}$/

/**
 * Returns the values of the query. Undefined unless it has one state in our form with one code or error, each once (RFC
 * 6749, 4.1.2): other queries reach no service.
 */
function readBrought(req: Request): Brought | undefined {
  const search = queryOf(req)
  const [state, code, error, iss] = ['state', 'code', 'error', 'iss'].map((name) => {
    const [value = '', ...more] = search.getAll(name)
    return more.length === 0 && value.length <= MAX_VALUE && /^[\x20-\x7e]*$/.test(value) ? value : undefined
  })
  if (!state || !STATE.test(state) || code === undefined || error === undefined || iss === undefined)
    return undefined
  return (code === '') === (error === '') ? undefined : { state, code, error, iss }
}

/** Returns the language in which the identity provider asked, else the language that the browser prefers. */
function languageOf(req: Request, uiLocale: string): Language {
  const spoken = uiLocale || req.acceptsLanguages('pt', 'pt-BR', 'en')
  return spoken === false || !spoken.startsWith('pt') ? 'en' : 'pt-BR'
}
