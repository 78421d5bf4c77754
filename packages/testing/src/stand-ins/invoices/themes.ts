import { Theme, type GetThemeRequest, type ReplaceThemeRequest } from '@cofre/proto/invoices/v1/themes'
import type { Marks } from '../marks'

/** The colors of a seller without a theme. */
const STANDARD = {
  primaryColor: '#1F4FD8',
  secondaryColor: '#5B6472',
  headerBackground: '#FFFFFF',
  headerText: '#1A1C1F',
  bodyBackground: '#F5F6F8',
  bodyText: '#1A1C1F',
}

/** Themes in memory. */
export function createThemes(marks: Marks) {
  const themes = new Map<number, Theme>()
  const answers = {
    getTheme: async ({ sellerId }: GetThemeRequest) =>
      themes.get(sellerId) ?? Theme.fromPartial({ fields: STANDARD }),
    replaceTheme: async ({ sellerId, fields }: ReplaceThemeRequest) =>
      marks.once(sellerId, Theme, () => {
        const theme = { fields, warnings: [] }
        themes.set(sellerId, theme)
        return theme
      }),
  }
  return { answers }
}
