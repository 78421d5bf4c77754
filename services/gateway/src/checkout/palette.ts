import { contrastOf, luminanceOf, mixedColor, plainOn, reachingOn } from '@cofre/platform/color'
import type { ThemeFields } from '@cofre/proto/invoices/v1/themes'

/** The colors of a page, by the name of their CSS variable. Whatever the theme says, its text can be read. */
export type Palette = Record<string, string>

/** What bounds a field (WCAG 2.2, success criterion 1.4.11). */
const VISIBLE = 3
/** A ground below this luminance is a dark one. */
const DARK = 0.18
const VERY_DARK = 0.03
/** How much ink is in a soft ground. */
const SOFT = 0.045
const [DEEP, WHITE] = ['#000000', '#FFFFFF']

type Colors = Omit<ThemeFields, 'logoUrl'>

/** Where a seller has no theme, and on pages of no seller. */
const STANDARD: Colors = {
  primaryColor: '#1F4FD8',
  secondaryColor: '#5B6472',
  headerBackground: '#FFFFFF',
  headerText: '#1A1C1F',
  bodyBackground: '#F5F6F8',
  bodyText: '#1A1C1F',
}
/** In place of a light theme's, for who prefers dark pages. */
const NIGHT = { bodyBackground: '#13161A', bodyText: '#E8EAED', secondaryColor: '#A3ADB8' }
const NIGHT_HEADER = { headerBackground: '#1B2025', headerText: '#E8EAED' }

/** The style of a theme, light and dark. A theme that is dark by itself is shown as it is. */
export function themeCss(given: ThemeFields | undefined): string {
  const theme = { ...STANDARD, ...colorsIn(given) }
  const isDark = luminanceOf(theme.bodyBackground) < DARK
  if (isDark) return rule(paletteOf(theme), 'dark')
  return `${rule(paletteOf(theme), 'light')}@media(prefers-color-scheme:dark){${rule(paletteOf(nightOf(theme)), 'dark')}}`
}

/** What is a color: it goes into a style as it is. */
function colorsIn({ logoUrl: _logoUrl, ...colors }: Partial<ThemeFields> = {}): Partial<Colors> {
  return Object.fromEntries(
    Object.entries(colors).filter(([, color]) => /^#([0-9A-Fa-f]{3}){1,2}$/.test(color)),
  )
}

/** The seller's own colors stay where they do not glare: those of its buttons, and a header that is dark already. */
function nightOf(theme: Colors): Colors {
  const keepsHeader = luminanceOf(theme.headerBackground) < DARK
  return { ...theme, ...NIGHT, ...(keepsHeader ? {} : NIGHT_HEADER) }
}

export function paletteOf(theme: Colors): Palette {
  const { primaryColor, bodyBackground: ground } = theme
  const isDark = luminanceOf(ground) < DARK
  const panel = panelOn(ground, isDark)
  const ink = inkOn(panel, theme.bodyText)
  const edge = reachingOn(panel, mixedColor(panel, ink, 0.45), VISIBLE)
  return {
    ground,
    panel,
    ink,
    edge,
    'ground-ink': plainOn(ground, theme.bodyText),
    'ground-quiet': reachingOn(ground, theme.secondaryColor),
    quiet: reachingOn(panel, theme.secondaryColor),
    line: mixedColor(panel, ink, 0.14),
    soft: mixedColor(panel, ink, SOFT),
    button: primaryColor,
    'button-ink': plainOn(primaryColor, WHITE),
    'button-edge': contrastOf(primaryColor, panel) >= VISIBLE ? primaryColor : edge,
    header: theme.headerBackground,
    'header-ink': plainOn(theme.headerBackground, theme.headerText),
    ...tinted('mark', primaryColor, panel),
    ...tinted('bad', '#B3261E', panel),
    ...tinted('good', '#0B6B57', panel),
  }
}

/** What the forms stand on: white on a light ground; on a dark one what leaves room for a contrast. */
function panelOn(ground: string, isDark: boolean): string {
  if (!isDark) return WHITE
  return luminanceOf(ground) < VERY_DARK ? mixedColor(ground, WHITE, 0.05) : mixedColor(ground, DEEP, 0.45)
}

/** Of another hue, a text may be read on the soft ground that is mixed with it, and not on the panel: it stands on both. */
function inkOn(panel: string, text: string): string {
  const onPanel = plainOn(panel, text)
  return plainOn(mixedColor(panel, onPanel, SOFT), onPanel)
}

/** A color for text, and a soft one to write it on. */
function tinted(name: string, color: string, panel: string): Palette {
  const soft = mixedColor(panel, color, 0.1)
  return { [name]: reachingOn(soft, reachingOn(panel, color)), [`${name}-soft`]: soft }
}

function rule(palette: Palette, scheme: 'light' | 'dark'): string {
  const variables = Object.entries(palette).map(([name, color]) => `--${name}:${color};`)
  return `:root{color-scheme:${scheme};${variables.join('')}}`
}
