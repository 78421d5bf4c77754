/** The contrast ratio of two colors, 1 to 21 (WCAG 2.2). A color is # and three or six hexadecimal digits. */
export function contrastOf(one: string, other: string): number {
  const [lighter, darker] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => b - a) as [number, number]
  return (lighter + 0.05) / (darker + 0.05)
}

/** The relative luminance of a color, from 0 for black to 1 for white (WCAG 2.2). */
export function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = channelsOf(color).map((channel) => {
    const share = channel / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** A mix of two colors. `share`: the part of the second, 0 to 1. */
export function mixedColor(one: string, other: string, share: number): string {
  const [from, to] = [channelsOf(one), channelsOf(other)]
  const channels = from.map((channel, at) => Math.round(channel + ((to[at] ?? 0) - channel) * share))
  return `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`
}

/** The contrast that text needs (WCAG 2.2, success criterion 1.4.3). */
const READABLE = 4.5
const [BLACK, DEEP, WHITE] = ['#1A1C1F', '#000000', '#FFFFFF']

/** The color itself, or black or white where text in that color can't be read. */
export function plainOn(background: string, color: string): string {
  return contrastOf(color, background) >= READABLE ? color : endOn(background)
}

/** White, our softer black, or pure black: on a medium color only pure black can be read. */
function endOn(background: string): string {
  if (contrastOf(WHITE, background) > contrastOf(DEEP, background)) return WHITE
  return contrastOf(BLACK, background) >= READABLE ? BLACK : DEEP
}

const STEPS = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1]

/** The color itself, or the nearest shade towards black or white that has this contrast. Text needs 4.5. */
export function reachingOn(background: string, color: string, contrast = READABLE): string {
  const end = endOn(background)
  const shades = STEPS.map((share) => (share === 0 ? color : mixedColor(color, end, share)))
  return shades.find((shade) => contrastOf(shade, background) >= contrast) ?? end
}

function channelsOf(color: string): number[] {
  const digits = color.length === 4 ? color.replaceAll(/[0-9A-Fa-f]/g, '$&$&') : color
  return [1, 3, 5].map((at) => Number.parseInt(digits.slice(at, at + 2), 16))
}
