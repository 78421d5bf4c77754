import { qrOutline } from '@cofre/platform/qr-code'
import type { OpenPix } from '../../letters/open-pix'
import { MM, write } from './paper'
import { dayWritten } from './slip-words'
import { WIDTH } from './slip-part'

/** What the QR code takes at the right, in millimetres: with its light margin, well over the 25 that scanners need. */
export const QR_WIDTH = 44
/** Where the text to copy begins below the code, and how high it may be: 512 characters at most. */
const TEXT = { y: 58, height: 12 }

/** Draws the QR code of a Pix charge and the text behind it, in the part that the payer keeps. */
export function drawPix(
  document: PDFKit.PDFDocument,
  { copyAndPaste, payableUntil }: OpenPix,
  { x, y }: { x: number; y: number },
): void {
  const left = x + WIDTH - QR_WIDTH
  const title = `Ou pague com Pix até ${dayWritten(payableUntil)}`
  write(document, { x: left, y, width: QR_WIDTH, height: 8 }, title, { bold: true, size: 8 })
  const { size, path } = qrOutline(copyAndPaste)
  document.save()
  document.translate(left * MM, (y + 8) * MM).scale((QR_WIDTH * MM) / size)
  // Nothing behind the code shows through it.
  document.rect(0, 0, size, size).fill('#ffffff').path(path).fill('#000000')
  document.restore()
  write(document, { x, y: y + TEXT.y - 3.5, width: WIDTH, height: 3.5 }, 'Pix Copia e Cola', {
    bold: true,
    size: 6.5,
  })
  write(document, { x, y: y + TEXT.y, width: WIDTH, height: TEXT.height }, copyAndPaste, { size: 6.5 })
}
