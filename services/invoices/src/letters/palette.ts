import { contrastOf } from '../theme/contrast'
import type { Theme } from '../theme/theme'

/** The colors of a letter. Those in which text is written can be read. */
export type Palette = {
  background: string
  text: string
  /** Of what matters less. */
  muted: string
  /** Between parts. */
  line: string
  header: { background: string; text: string; line: string }
  button: { background: string; text: string }
}

/** As in theme/contrast.ts. */
const READABLE = 4.5
const LINE_SHARE = 0.18

/** A seller's theme, but that small text and the button are readable whatever the theme says. */
export function paletteOf(theme: Theme): Palette {
  const { primaryColor, secondaryColor, bodyBackground: background, bodyText: text } = theme
  const isReadable = contrastOf(secondaryColor, background) >= READABLE
  const onButton = contrastOf('#FFFFFF', primaryColor) >= READABLE ? '#FFFFFF' : '#1A1C1F'
  return {
    background,
    text,
    muted: isReadable ? secondaryColor : text,
    line: mixed(background, text, LINE_SHARE),
    header: { background: theme.headerBackground, text: theme.headerText, line: primaryColor },
    button: { background: primaryColor, text: onButton },
  }
}

/** A color between two. `share`: of the second. */
function mixed(one: string, other: string, share: number): string {
  const [from, to] = [channelsOf(one), channelsOf(other)]
  const channels = from.map((channel, at) => Math.round(channel + ((to[at] ?? 0) - channel) * share))
  return `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
}

function channelsOf(color: string): number[] {
  const digits = color.length === 4 ? color.replaceAll(/[0-9A-Fa-f]/g, '$&$&') : color
  return [1, 3, 5].map((at) => Number.parseInt(digits.slice(at, at + 2), 16))
}
