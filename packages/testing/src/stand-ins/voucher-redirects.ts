import { DomainError, notFound } from '@cofre/platform/errors'
import {
  BeginRedirectResponse,
  RedirectOutcome,
  VoucherFlow,
  VoucherTokenStatus,
  type BeginRedirectRequest,
  type FinishRedirectRequest,
  type FinishRedirectResponse,
} from '@cofre/proto/vouchers/v1/vouchers'
import type { Marks } from './marks'
import { BRANDS, type Tokens } from './voucher-tokens'

/** The redirect flow in memory. A state has the form of the service's states, and is good once. */
export function createRedirects(marks: Marks, { add }: Pick<Tokens, 'add'>) {
  const begun: BeginRedirectRequest[] = []
  const finished: FinishRedirectRequest[] = []
  const open = new Set<string>()
  /** The answer to the next callbacks with a good state. */
  const next: FinishRedirectResponse & { fail?: () => Promise<void> } = {
    outcome: RedirectOutcome.AUTHORIZED,
    uiLocale: 'pt-BR',
  }
  const begin = (request: BeginRedirectRequest) => {
    const { sellerId, cardType, cardReference } = request
    const known = BRANDS.find(({ brand }) => brand === request.brandSegment.toUpperCase())
    if (!known) throw notFound('There is no such brand.')
    if (known.flow !== VoucherFlow.REDIRECT) {
      const message = 'This brand takes card numbers.'
      throw new DomainError('failed_precondition', 'VOUCHER_BRAND_UNSUPPORTED', message)
    }
    begun.push(request)
    add({ sellerId, cardType, cardBrand: known.brand, cardReference, status: VoucherTokenStatus.PENDING })
    const state = `key.${'a'.repeat(40)}${begun.length}`
    open.add(state)
    return { authUrl: `https://id.example.com/connect/authorize?response_type=code&state=${state}` }
  }
  const answers = {
    beginRedirect: async (request: BeginRedirectRequest) =>
      marks.once(request.sellerId, BeginRedirectResponse, () => begin(request)),
    finishRedirect: async (request: FinishRedirectRequest) => {
      finished.push(request)
      const { fail, ...answer } = next
      await fail?.()
      if (open.delete(request.state)) return answer
      return { outcome: RedirectOutcome.LINK_UNUSABLE, uiLocale: '' }
    },
  }
  return { answers, begun, finished, next }
}
