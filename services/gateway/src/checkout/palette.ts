import { contrastOf, luminanceOf, mixedColor } from '@cofre/platform/color'
import type { ThemeFields } from '@cofre/proto/invoices/v1/themes'

/** The colors of a page, by the name of their CSS variable. Whatever the theme says, its text can be read. */
export type Palette = Record<string, string>

/** Text (WCAG 2.2, success criterion 1.4.3) and what bounds a field (1.4.11). */
const READABLE = 4.5
const VISIBLE = 3
/** A ground below this luminance is a dark one. */
const DARK = 0.18
const VERY_DARK = 0.03
/** How much ink is in a soft ground. */
const SOFT = 0.045
const [BLACK, DEEP, WHITE] = ['#1A1C1F', '#000000', '#FFFFFF']

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
  const ink = plain(theme.bodyText, mixedColor(panel, theme.bodyText, SOFT))
  const edge = reaching(VISIBLE, mixedColor(panel, ink, 0.45), panel)
  return {
    ground,
    panel,
    ink,
    edge,
    'ground-ink': plain(theme.bodyText, ground),
    'ground-quiet': readable(theme.secondaryColor, ground),
    quiet: readable(theme.secondaryColor, panel),
    line: mixedColor(panel, ink, 0.14),
    soft: mixedColor(panel, ink, SOFT),
    button: primaryColor,
    'button-ink': plain(WHITE, primaryColor),
    'button-edge': contrastOf(primaryColor, panel) >= VISIBLE ? primaryColor : edge,
    header: theme.headerBackground,
    'header-ink': plain(theme.headerText, theme.headerBackground),
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

/** A color for text, and a soft one to write it on. */
function tinted(name: string, color: string, panel: string): Palette {
  const soft = mixedColor(panel, color, 0.1)
  return { [name]: readable(readable(color, panel), soft), [`${name}-soft`]: soft }
}

/** The color itself, or black or white where it can't be read. */
function plain(color: string, background: string): string {
  return contrastOf(color, background) >= READABLE ? color : endOn(background)
}

/** White, ours of black, or black itself: on a color of the middle only the last can be read. */
function endOn(background: string): string {
  if (contrastOf(WHITE, background) > contrastOf(DEEP, background)) return WHITE
  return contrastOf(BLACK, background) >= READABLE ? BLACK : DEEP
}

/** The color itself, or the nearest on its way to black or white that can be read there. */
function readable(color: string, background: string): string {
  return reaching(READABLE, color, background)
}

const STEPS = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1]

function reaching(contrast: number, color: string, background: string): string {
  const end = endOn(background)
  const shades = STEPS.map((share) => (share === 0 ? color : mixedColor(color, end, share)))
  return shades.find((shade) => contrastOf(shade, background) >= contrast) ?? end
}

function rule(palette: Palette, scheme: 'light' | 'dark'): string {
  const variables = Object.entries(palette).map(([name, color]) => `--${name}:${color};`)
  return `:root{color-scheme:${scheme};${variables.join('')}}`
}
