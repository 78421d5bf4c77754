import type { DrawBookletRequest, DrawBookletResponse } from '@cofre/proto/invoices/v1/recurring'
import { drawBooklet as draw } from '../html/draw-booklet'
import { readSlips } from '../booklet-store'
import { now } from '../../clock/billing-clock'
import type { Deps } from '../../deps'
import { readRecurring } from '../../recurring/store/recurring-store'
import { DEFAULT_THEME } from '../../catalog/themes/theme'
import { findTheme } from '../../catalog/themes/theme-store'

export async function drawBooklet(
  { pool, baseUrl, boletos: { isPayable } }: Deps,
  { sellerId, recurringInvoiceId: id, sellerName }: DrawBookletRequest,
): Promise<DrawBookletResponse> {
  const { charges } = await readRecurring(pool, { sellerId, id })
  const slips = await readSlips(pool, { sellerId, id })
  const theme = (await findTheme(pool, sellerId)) ?? DEFAULT_THEME
  const { html, style } = draw({ slips, charges, theme, sellerName, isPayable, baseUrl, at: now() })
  return { html, styleSource: style }
}
