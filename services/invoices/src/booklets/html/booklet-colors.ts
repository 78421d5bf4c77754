import { luminanceOf, plainOn, reachingOn } from '@cofre/platform/color'
import type { Theme } from '../../catalog/themes/theme'

/** A background below this luminance counts as dark. */
const DARK = 0.18
const WHITE = '#FFFFFF'
/** Colors in place of a light theme's, for readers who prefer dark pages. */
const NIGHT = { bodyBackground: '#13161A', bodyText: '#E8EAED' }
const NIGHT_HEADER = { headerBackground: '#1B2025', headerText: '#E8EAED' }

/** A seller's colors as CSS variables. Paper is white: text and marks on it are dark, even if the theme's are not. */
export function colorsOf(theme: Theme): string {
  if (luminanceOf(theme.bodyBackground) < DARK) return rule(theme, 'dark')
  const night = rule(nightOf(theme), 'dark')
  return `${rule(theme, 'light')}@media screen and (prefers-color-scheme:dark){${night}}`
}

/** A header that is already dark keeps the seller's colors. */
function nightOf(theme: Theme): Theme {
  const keepsHeader = luminanceOf(theme.headerBackground) < DARK
  return { ...theme, ...NIGHT, ...(keepsHeader ? {} : NIGHT_HEADER) }
}

function rule(theme: Theme, scheme: 'light' | 'dark'): string {
  const { primaryColor, headerBackground, headerText, bodyBackground, bodyText } = theme
  const colors = {
    ground: bodyBackground,
    'ground-ink': plainOn(bodyBackground, bodyText),
    header: headerBackground,
    'header-ink': plainOn(headerBackground, headerText),
    band: primaryColor,
    'band-ink': plainOn(primaryColor, WHITE),
    mark: reachingOn(WHITE, primaryColor),
  }
  const variables = Object.entries(colors).map(([name, color]) => `--${name}:${color};`)
  return `:root{color-scheme:${scheme};${variables.join('')}}`
}
