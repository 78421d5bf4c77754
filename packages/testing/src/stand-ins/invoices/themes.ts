import { Theme, type GetThemeRequest, type ReplaceThemeRequest } from '@cofre/proto/invoices/v1/themes'
import type { Marks } from '../marks'

/** Themes in memory, without a default. */
export function createThemes(marks: Marks) {
  const themes = new Map<number, Theme>()
  const answers = {
    getTheme: async ({ sellerId }: GetThemeRequest) =>
      themes.get(sellerId) ?? Theme.fromPartial({ fields: {} }),
    replaceTheme: async ({ sellerId, fields }: ReplaceThemeRequest) =>
      marks.once(sellerId, Theme, () => {
        const theme = { fields, warnings: [] }
        themes.set(sellerId, theme)
        return theme
      }),
  }
  return { answers }
}
