import { createHash } from 'node:crypto'
import { databaseNow } from '@cofre/platform/service/database-clock'
import {
  RedirectOutcome,
  type FinishRedirectRequest,
  type FinishRedirectResponse,
} from '@cofre/proto/vouchers/v1/vouchers'
import { redirectBrand, type RedirectBrand } from '../brands/brand'
import type { Deps } from '../deps'
import { exchangeCode, readCard } from '../redirect/continue-redirect'
import { openState, type State } from '../redirect/state'
import { findToken, updateToken } from '../tokens/token-store'
import { end, leaveCode, takeCode, type VoucherToken } from '../tokens/voucher-token'

/** Serves the browser of a returning holder. A link is good once; the same link and code again get the outcome. */
export async function finishRedirect(
  deps: Deps,
  request: FinishRedirectRequest,
): Promise<FinishRedirectResponse> {
  const brand = redirectBrand(deps.brands, request.brandSegment)
  const state = deps.stateKeys && openState(deps.stateKeys, request.state)
  const token = state && (await findToken(deps.pool, state))
  if (!brand || !state || token?.brand !== brand.name || !token.redirect)
    return answerOf('LINK_UNUSABLE', brand)
  // RFC 9207: the code of an answer from another issuer does not count.
  const isForeign = request.iss !== '' && request.iss !== brand.identity.issuer
  const counted = isForeign ? { ...request, code: '', error: FOREIGN } : request
  const outcome = await finish(deps, token, { state, request: counted })
  return answerOf(outcome, brand)
}

type Back = { state: State; request: FinishRedirectRequest }
/** Stands for the answer of another issuer. No provider's error has a blank in it. */
const FOREIGN = 'another issuer'
type Outcome = 'CODE_REFUSED' | 'AUTHORIZED' | 'REFUSED' | 'LINK_UNUSABLE' | 'UNAVAILABLE' | 'BEING_CHECKED'

async function finish(deps: Deps, token: VoucherToken, { state, request }: Back): Promise<Outcome> {
  const { pool } = deps
  const { code, error } = request
  if (isRepeated(token, request)) return outcomeOf(token)
  const at = databaseNow()
  if (token.redirect?.phase !== 'SENT') return 'LINK_UNUSABLE'
  if (token.redirect.expiresAt <= at) {
    await updateToken(pool, token, (current) =>
      current.redirect?.phase === 'SENT' ? end(current, 'EXPIRED', 'AUTHORIZATION_EXPIRED', at) : undefined,
    )
    return 'LINK_UNUSABLE'
  }
  if (code === '') {
    const reason = reasonOf(error)
    const ended = await updateToken(pool, token, (current) =>
      current.redirect?.phase === 'SENT'
        ? end(current, reason === 'ACCESS_DENIED' ? 'DENIED' : 'FAILED', reason, at)
        : undefined,
    )
    return ended ? outcomeOf(ended) : overtaken(deps, token, request)
  }
  const codeHash = hashOf(code)
  const taken = await updateToken(pool, token, (current) =>
    takeCode(current, { codeHash, codeVerifier: state.verifier }, at),
  )
  if (!taken) return overtaken(deps, token, request)
  await keepCode(deps, taken, code)
  const exchanged = await exchangeCode(deps, taken, state)
  if (exchanged?.redirect?.phase !== 'CARD') return exchanged ? outcomeOf(exchanged) : 'UNAVAILABLE'
  const ended = await readCard(deps, exchanged)
  return ended ? outcomeOf(ended) : 'BEING_CHECKED'
}

/** Has the vault keep the code. When that fails, the link is as it was before: the holder may come back with it. */
async function keepCode({ pool, numbers }: Deps, taken: VoucherToken, code: string): Promise<void> {
  try {
    await numbers.keepCode({ ...taken, code })
  } catch (error) {
    await updateToken(pool, taken, (current) => leaveCode(current, taken.redirect?.codeHash, databaseNow()))
    throw error
  }
}

/** True for the same link with the same code or error: a page that is reloaded. */
function isRepeated({ redirect, reason }: VoucherToken, { code, error }: FinishRedirectRequest): boolean {
  if (code !== '') return redirect?.codeHash === hashOf(code)
  return redirect?.codeHash === null && reason === reasonOf(error)
}

/** Answers a page that another one overtook: the same link and code get the same outcome. */
async function overtaken(deps: Deps, key: VoucherToken, request: FinishRedirectRequest): Promise<Outcome> {
  const token = await findToken(deps.pool, key)
  return token && isRepeated(token, request) ? outcomeOf(token) : 'LINK_UNUSABLE'
}

function reasonOf(error: string): 'ACCESS_DENIED' | 'CODE_REFUSED' | 'PROVIDER_ERROR' {
  if (error === FOREIGN) return 'CODE_REFUSED'
  return error === 'access_denied' ? 'ACCESS_DENIED' : 'PROVIDER_ERROR'
}

function hashOf(code: string): string {
  return createHash('sha256').update(code).digest('hex')
}

function outcomeOf({ status, reason }: VoucherToken): Outcome {
  if (status === 'ACTIVE') return 'AUTHORIZED'
  if (status === 'PENDING') return 'BEING_CHECKED'
  if (reason === 'CODE_REFUSED') return 'CODE_REFUSED'
  if (status === 'DENIED' || reason === 'CARD_NOT_ELIGIBLE') return 'REFUSED'
  return status === 'FAILED' ? 'UNAVAILABLE' : 'LINK_UNUSABLE'
}

function answerOf(outcome: Outcome, brand: RedirectBrand | undefined): FinishRedirectResponse {
  return { outcome: RedirectOutcome[outcome], uiLocale: brand?.identity.uiLocales ?? '' }
}
