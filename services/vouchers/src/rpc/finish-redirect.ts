import {
  RedirectOutcome,
  type FinishRedirectRequest,
  type FinishRedirectResponse,
} from '@cofre/proto/vouchers/v1/vouchers'
import type { Deps } from '../deps'

/** No brand of the settings has the redirect flow yet, so no link is one of ours. */
export async function finishRedirect(
  _deps: Deps,
  _request: FinishRedirectRequest,
): Promise<FinishRedirectResponse> {
  return { outcome: RedirectOutcome.LINK_UNUSABLE, uiLocale: '' }
}
