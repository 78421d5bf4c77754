/** Narrow and wide elements of each digit (ISO/IEC 16390, Interleaved 2 of 5). */
const WIDE = ['00110', '10001', '01001', '11000', '00101', '10100', '01100', '00011', '10010', '01010']
const WIDE_MODULES = 3
const START = [1, 1, 1, 1]
const STOP = [WIDE_MODULES, 1, 1]

/** A dark bar: where it begins and how wide it is, in modules. */
export type Bar = { at: number; width: number }

/** The bars of a barcode of 44 digits, and how wide it is in modules: 405. */
export function barsOf(barcode: string): { bars: Bar[]; modules: number } {
  if (!/^\d{44}$/.test(barcode)) throw new Error('a barcode has 44 digits')
  const bars: Bar[] = []
  let at = 0
  for (const [index, width] of [...START, ...pairsOf(barcode), ...STOP].entries()) {
    if (index % 2 === 0) bars.push({ at, width })
    at += width
  }
  return { bars, modules: at }
}

/** Encodes pairs of digits: the bars hold the first digit, the spaces between them the second. */
function pairsOf(digits: string): number[] {
  return (digits.match(/\d\d/g) ?? []).flatMap((pair) => {
    const [dark, light] = Array.from(pair, widthsOf)
    return (dark ?? []).flatMap((width, at) => [width, light?.[at] ?? 1])
  })
}

function widthsOf(digit: string): number[] {
  return Array.from(WIDE[Number(digit)] ?? '', (element) => (element === '1' ? WIDE_MODULES : 1))
}
