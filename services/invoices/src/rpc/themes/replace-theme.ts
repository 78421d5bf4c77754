import type { Replayable } from '@cofre/platform/grpc/replayable'
import { withIdempotency } from '@cofre/platform/idempotency/idempotency'
import { ThemeFields, Theme as Message, type ReplaceThemeRequest } from '@cofre/proto/invoices/v1/themes'
import { now } from '../../clock/billing-clock'
import type { Deps } from '../../deps'
import { isColor } from '../../theme/theme'
import { themeOf, toMessage } from '../../theme/theme-message'
import { saveTheme } from '../../theme/theme-store'
import { fault, throwFaults } from '../request-check'

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
