import { contrastOf, luminanceOf, mixedColor, plainOn, reachingOn } from '@cofre/platform/color'
import type { ThemeFields } from '@cofre/proto/invoices/v1/themes'

/** The colors of a page, by the name of their CSS variable. Text can be read with every theme. */
export type Palette = Record<string, string>

/** The contrast of the edge of a field (WCAG 2.2, success criterion 1.4.11). */
const VISIBLE = 3
/** A ground (background) below this luminance is dark. */
const DARK = 0.18
const VERY_DARK = 0.03
/** The share of ink (text color) in a soft ground. */
const SOFT = 0.045
const [DEEP, WHITE] = ['#000000', '#FFFFFF']

type Colors = Omit<ThemeFields, 'logoUrl'>

/** The colors for sellers without a theme, and for pages without a seller. */
const STANDARD: Colors = {
  primaryColor: '#1F4FD8',
  secondaryColor: '#5B6472',
  headerBackground: '#FFFFFF',
  headerText: '#1A1C1F',
  bodyBackground: '#F5F6F8',
  bodyText: '#1A1C1F',
}
/** The colors that replace those of a light theme for readers who prefer dark pages. */
const NIGHT = { bodyBackground: '#13161A', bodyText: '#E8EAED', secondaryColor: '#A3ADB8' }
const NIGHT_HEADER = { headerBackground: '#1B2025', headerText: '#E8EAED' }

/** True where a theme has the colors of sellers without one. */
export function isStandard(given: Partial<ThemeFields>): boolean {
  return Object.entries({ ...STANDARD, ...colorsIn(given) }).every(
    ([name, color]) => STANDARD[name as keyof Colors] === color,
  )
}

/** Returns the style of a theme, light and dark. A theme that is already dark stays as it is. */
export function themeCss(given: ThemeFields | undefined): string {
  const theme = { ...STANDARD, ...colorsIn(given) }
  const isDark = luminanceOf(theme.bodyBackground) < DARK
  if (isDark) return rule(paletteOf(theme), 'dark')
  return `${rule(paletteOf(theme), 'light')}@media(prefers-color-scheme:dark){${rule(paletteOf(nightOf(theme)), 'dark')}}`
}

/** Keeps only valid colors: they go into a style unescaped. */
function colorsIn({ logoUrl: _logoUrl, ...colors }: Partial<ThemeFields> = {}): Partial<Colors> {
  return Object.fromEntries(
    Object.entries(colors).filter(([, color]) => /^#([0-9A-Fa-f]{3}){1,2}$/.test(color)),
  )
}

/** Keeps the seller's own colors where they do not glare: those of its buttons, and a header that is already dark. */
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

/** The ground of the forms: white on a light page; on a dark page, a shade that leaves room for contrast. */
function panelOn(ground: string, isDark: boolean): string {
  if (!isDark) return WHITE
  return luminanceOf(ground) < VERY_DARK ? mixedColor(ground, WHITE, 0.05) : mixedColor(ground, DEEP, 0.45)
}

/** The ink must be readable on the panel and on the soft ground. Some hues are readable on only one of them. */
function inkOn(panel: string, text: string): string {
  const onPanel = plainOn(panel, text)
  return plainOn(mixedColor(panel, onPanel, SOFT), onPanel)
}

/** Returns a color for text, and a soft ground to write it on. */
function tinted(name: string, color: string, panel: string): Palette {
  const soft = mixedColor(panel, color, 0.1)
  return { [name]: reachingOn(soft, reachingOn(panel, color)), [`${name}-soft`]: soft }
}

function rule(palette: Palette, scheme: 'light' | 'dark'): string {
  const variables = Object.entries(palette).map(([name, color]) => `--${name}:${color};`)
  return `:root{color-scheme:${scheme};${variables.join('')}}`
}
