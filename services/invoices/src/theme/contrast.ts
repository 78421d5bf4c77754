import type { Theme } from './theme'

/** The least contrast of text that people with low vision can read (WCAG 2.2, success criterion 1.4.3). */
const READABLE = 4.5

export type ThemeWarning = { pointer: string; code: string; detail: string }

/** Text of a theme that many people can't read on its background. */
export function warningsOf({
  headerText,
  headerBackground,
  bodyText,
  bodyBackground,
}: Theme): ThemeWarning[] {
  return [
    ...warningOf('headerText', headerText, headerBackground),
    ...warningOf('bodyText', bodyText, bodyBackground),
  ]
}

function warningOf(name: string, text: string, background: string): ThemeWarning[] {
  const contrast = contrastOf(text, background)
  if (contrast >= READABLE) return []
  // Down, so that what is shown is never the limit itself.
  const shown = (Math.floor(contrast * 100) / 100).toFixed(2)
  const detail = `has a contrast of ${shown}:1 on its background; below ${READABLE}:1 many people cannot read it`
  return [{ pointer: `#/colors/${name}`, code: 'LOW_CONTRAST', detail }]
}

/** From 1 to 21 (WCAG 2.2, contrast ratio). */
export function contrastOf(one: string, other: string): number {
  const [lighter, darker] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => b - a) as [number, number]
  return (lighter + 0.05) / (darker + 0.05)
}

/** WCAG 2.2, relative luminance. */
function luminanceOf(color: string): number {
  const digits = color.length === 4 ? color.replaceAll(/[0-9A-Fa-f]/g, '$&$&') : color
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(digits.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
