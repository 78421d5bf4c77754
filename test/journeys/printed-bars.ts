import { inflateSync } from 'node:zlib'

/** A barcode of a PDF: its bars and its size, in points. */
export type PrintedBars = { bars: { x: number; width: number }[]; width: number; height: number }

const NUMBER = String.raw`-?[\d.]+`
/** How Chromium writes a drawing of many boxes: its matrix, its color, then each box from corner to corner. */
const DRAWING = new RegExp(
  String.raw`(${NUMBER}) 0 0 (${NUMBER}) ${NUMBER} ${NUMBER} cm\n[^\n]*\n[^\n]* gs\n((?:(?:${NUMBER} ${NUMBER} [ml]\n){4,5}h\n){20,})`,
  'g',
)
const BOX = new RegExp(String.raw`(${NUMBER}) 0 m\n(${NUMBER}) 0 l\n`, 'g')

/** The barcodes that Chromium has printed, page by page, from top to bottom. */
export function printedBars(pdf: Buffer): PrintedBars[] {
  return contentsOf(pdf).flatMap((content) => {
    const [, unit = NaN] = /^(?:\.|0\.)?(\d+) 0 0/.exec(content)
      ? /^([\d.]+) 0 0/.exec(content)!.map(Number)
      : []
    return [...content.matchAll(DRAWING)].map(([, across, down, path = '']) => {
      const scale = Number(across) * unit
      const bars = [...path.matchAll(BOX)].map(([, from, to]) => ({
        x: Number(from) * scale,
        width: (Number(to) - Number(from)) * scale,
      }))
      const last = bars.at(-1)
      return { bars, width: last ? last.x + last.width : 0, height: Number(down) * unit }
    })
  })
}

/** The number of pages of a PDF. */
export function pagesOf(pdf: Buffer): number {
  return pdf.toString('latin1').match(/\/Type \/Page\n/g)?.length ?? 0
}

/** The drawings of a PDF. Each stream is cut by its stated length: its last byte may look like a line end. */
function contentsOf(pdf: Buffer): string[] {
  return [...pdf.toString('latin1').matchAll(/\/Length (\d+)>> stream\n/g)].flatMap(
    ({ 0: head, 1: length, index }) => {
      const from = index + head.length
      const text = inflated(pdf.subarray(from, from + Number(length)))
      return text?.includes(' cm\n') ? [text] : []
    },
  )
}

/** The text of a packed stream; undefined for fonts and pictures, which are packed in other ways. */
function inflated(bytes: Buffer): string | undefined {
  try {
    return inflateSync(bytes).toString('latin1')
  } catch {
    return undefined
  }
}
