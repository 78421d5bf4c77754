import type { GetThemeRequest, Theme } from '@cofre/proto/invoices/v1/themes'
import type { Deps } from '../../deps'
import { DEFAULT_THEME } from '../../theme/theme'
import { toMessage } from '../../theme/theme-message'
import { findTheme } from '../../theme/theme-store'

export async function getTheme({ pool }: Deps, { sellerId }: GetThemeRequest): Promise<Theme> {
  return toMessage((await findTheme(pool, sellerId)) ?? DEFAULT_THEME)
}
