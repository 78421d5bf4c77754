import { contrastOf, mixedColor } from '@cofre/platform/color'
import type { Theme } from '../catalog/themes/theme'

/** The colors of a letter. */
export type Palette = {
  background: string
  text: string
  /** For text that matters less. */
  muted: string
  /** Between the parts of a letter. */
  line: string
  header: { background: string; text: string; line: string }
  button: { background: string; text: string }
}

/** As in theme/contrast.ts. */
const READABLE = 4.5
const LINE_SHARE = 0.18

/** A seller's theme. Unreadable small text takes the color of other text, and the button's text is always readable. */
export function paletteOf(theme: Theme): Palette {
  const { primaryColor, secondaryColor, bodyBackground: background, bodyText: text } = theme
  const isReadable = contrastOf(secondaryColor, background) >= READABLE
  const onButton = contrastOf('#FFFFFF', primaryColor) >= READABLE ? '#FFFFFF' : '#1A1C1F'
  return {
    background,
    text,
    muted: isReadable ? secondaryColor : text,
    line: mixedColor(background, text, LINE_SHARE),
    header: { background: theme.headerBackground, text: theme.headerText, line: primaryColor },
    button: { background: primaryColor, text: onButton },
  }
}
