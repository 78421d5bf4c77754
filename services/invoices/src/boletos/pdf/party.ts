import { fitParty, type Party } from './fitted-party'
import { frame, insideOf, label, LABEL_HEIGHT, PAD, write, type Box } from './paper'
import { printable } from './printable'

const SIZES = [8, 7.5, 7, 6.5, 6, 5.5]

/** Draws who pays or is paid. */
export function drawParty(
  document: PDFKit.PDFDocument,
  box: Box,
  title: string,
  { name, address, ...party }: Party,
): void {
  frame(document, box)
  label(document, box, title)
  const inside = insideOf(box)
  const shown = { ...party, name: printable(name), address: printable(address) }
  const { text, size } = fitParty(shown, { ...inside, sizes: SIZES })
  write(document, { x: box.x + PAD, y: box.y + LABEL_HEIGHT, ...inside }, text, { size })
}
