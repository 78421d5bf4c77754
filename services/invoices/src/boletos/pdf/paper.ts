import { printable } from './printable'

/** Points in a millimetre. */
export const MM = 72 / 25.4

type Document = PDFKit.PDFDocument

/** A place on the page, in millimetres from the top left corner. */
export type Box = { x: number; y: number; width: number; height: number }

export type CellStyle = { align?: 'left' | 'right'; bold?: boolean; size?: number | undefined }

const LABEL_SIZE = 6
const VALUE_SIZE = 8.5
const INK = '#000000'
export const PAD = 1
/** What a label takes of a cell, in millimetres. */
export const LABEL_HEIGHT = 3.3

/** What frame and label leave of a cell, in millimetres. */
export function insideOf({ width, height }: Pick<Box, 'width' | 'height'>): Pick<Box, 'width' | 'height'> {
  return { width: width - 2 * PAD, height: height - LABEL_HEIGHT }
}

/** Draws a frame with a small label above its value. */
export function cell(
  document: Document,
  box: Box,
  title: string,
  value: string,
  style: CellStyle = {},
): void {
  frame(document, box)
  label(document, box, title)
  const below = { x: box.x + PAD, y: box.y + LABEL_HEIGHT, ...insideOf(box) }
  write(document, below, value, { size: VALUE_SIZE, ...style })
}

/** Writes the small words that say what a cell holds. */
export function label(document: Document, { x, y, width }: Box, title: string): void {
  write(document, { x: x + PAD, y: y + 0.7, width: width - 2 * PAD, height: 2.5 }, title, {
    size: LABEL_SIZE,
  })
}

/** Draws cells side by side. */
export function row(
  document: Document,
  { x, y, height }: Omit<Box, 'width'>,
  cells: readonly (readonly [width: number, label: string, value: string, style?: CellStyle])[],
): void {
  let left = x
  for (const [width, title, value, style] of cells) {
    cell(document, { x: left, y, width, height }, title, value, style)
    left += width
  }
}

export function frame(document: Document, { x, y, width, height }: Box): void {
  document
    .rect(x * MM, y * MM, width * MM, height * MM)
    .lineWidth(0.5)
    .strokeColor(INK)
    .stroke()
}

/** Writes text within a box. Text that does not fit ends in an ellipsis. */
export function write(
  document: Document,
  { x, y, width, height }: Box,
  text: string,
  { align = 'left', bold = false, size = VALUE_SIZE }: CellStyle = {},
): void {
  const font = bold ? 'Helvetica-Bold' : 'Helvetica'
  document.font(font).fontSize(size).fillColor(INK)
  const options = { width: width * MM, height: height * MM, align, ellipsis: true, lineGap: 0 } as const
  document.text(printable(text), x * MM, y * MM, options)
}

/** Draws the line along which the paper is cut. */
export function cutLine(document: Document, x: number, y: number, width: number): void {
  document.moveTo(x * MM, y * MM).lineTo((x + width) * MM, y * MM)
  document.lineWidth(0.5).dash(3, { space: 3 }).strokeColor('#555555').stroke().undash()
}

/** Draws large letters across a box, behind its text. */
export function mark(document: Document, { x, y, width, height }: Box, text: string): void {
  const middle = { x: (x + width / 2) * MM, y: (y + height / 2) * MM }
  document.save().rotate(-14, { origin: [middle.x, middle.y] })
  document.font('Helvetica-Bold').fontSize(64).fillColor('#e3e3e3')
  const length = document.widthOfString(text)
  document.text(text, middle.x - length / 2, middle.y - 32, { lineBreak: false })
  document.restore()
}
