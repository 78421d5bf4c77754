import { notFound } from '@cofre/platform/errors'
import type { BeginRedirectRequest, BeginRedirectResponse } from '@cofre/proto/vouchers/v1/vouchers'
import { refused } from '../brands/brand'
import type { Deps } from '../deps'

/** No brand of the settings has the redirect flow yet: a known one is refused, an unknown one does not exist. */
export async function beginRedirect(
  { brands }: Deps,
  { brandSegment }: BeginRedirectRequest,
): Promise<BeginRedirectResponse> {
  if (!brands.has(brandSegment.toUpperCase())) throw notFound()
  throw refused('VOUCHER_BRAND_UNSUPPORTED', 'Cards of this brand are tokenized by their number.', '#')
}
