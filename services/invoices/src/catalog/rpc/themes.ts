import type { Replayable } from '@cofre/platform/grpc/replayable'
import { withIdempotency } from '@cofre/platform/idempotency/idempotency'
import {
  type GetThemeRequest,
  type ReplaceThemeRequest,
  Theme as Message,
  ThemeFields,
} from '@cofre/proto/invoices/v1/themes'
import { now } from '../../clock/billing-clock'
import type { Deps } from '../../deps'
import { fault, throwFaults } from '../../request-check'
import { DEFAULT_THEME, isColor } from '../themes/theme'
import { themeOf, toMessage } from '../themes/theme-message'
import { findTheme, saveTheme } from '../themes/theme-store'

export async function getTheme({ pool }: Deps, { sellerId }: GetThemeRequest): Promise<Message> {
  return toMessage((await findTheme(pool, sellerId)) ?? DEFAULT_THEME)
}

export async function replaceTheme(
  { pool }: Deps,
  { sellerId, fields }: ReplaceThemeRequest,
): Promise<Replayable<Message>> {
  const theme = themeOf(fields ?? ThemeFields.fromPartial({}))
  const { logoUrl: _logoUrl, ...colors } = theme
  const bad = Object.entries(colors).filter(([, color]) => !isColor(color))
  throwFaults(
    bad.map(([name]) =>
      fault(`#/${name}`, 'FORMAT', 'must be a color: # and three or six hexadecimal digits'),
    ),
  )
  return withIdempotency(pool, sellerId, Message, async (tx) => {
    await saveTheme(tx, { ...theme, sellerId, updatedAt: now() })
    return toMessage(theme)
  })
}
