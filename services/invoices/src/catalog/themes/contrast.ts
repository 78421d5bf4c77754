import { contrastOf } from '@cofre/platform/color'
import type { Theme } from './theme'

/** The least contrast of text that people with low vision can read (WCAG 2.2, success criterion 1.4.3). */
const READABLE = 4.5

export type ThemeWarning = { pointer: string; code: string; detail: string }

/** Warnings about text of a theme that many people can't read on its background. */
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
  // Rounded down, so that the contrast shown is never the limit itself.
  const shown = (Math.floor(contrast * 100) / 100).toFixed(2)
  const detail = `has a contrast of ${shown}:1 on its background; below ${READABLE}:1 many people cannot read it`
  return [{ pointer: `#/colors/${name}`, code: 'LOW_CONTRAST', detail }]
}
