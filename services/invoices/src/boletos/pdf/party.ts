import { fitParty, type Party } from './fitted-party'
import { frame, label, write, type Box } from './paper'
import { printable } from './printable'

const SIZES = [8, 7.5, 7, 6.5, 6, 5.5]
/** What a label and the frame take of a cell, in millimetres. */
const LABEL_HEIGHT = 3.3
const PAD = 1

/** Draws who pays or is paid. */
export function drawParty(
  document: PDFKit.PDFDocument,
  box: Box,
  title: string,
  { name, address, ...party }: Party,
): void {
  frame(document, box)
  label(document, box, title)
  const width = box.width - 2 * PAD
  const height = box.height - LABEL_HEIGHT
  const shown = { ...party, name: printable(name), address: printable(address) }
  const { text, size } = fitParty(shown, { width, height, sizes: SIZES })
  write(document, { x: box.x + PAD, y: box.y + LABEL_HEIGHT, width, height }, text, { size })
}
