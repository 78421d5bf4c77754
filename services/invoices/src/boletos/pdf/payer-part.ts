import { printedLine } from '../rules/barcode'
import type { OpenPix } from '../../letters/open-pix'
import { sizeFor } from './fitted-party'
import { row, write } from './paper'
import { drawPix, QR_WIDTH } from './pix-part'
import { drawParty } from './party'
import type { PrintedBoleto } from './printed-boleto'
import { drawHead, WIDTH } from './slip-part'
import { codeOf, dayWritten, instructionsOf, reais } from './slip-words'

const SIZES = [8, 7.5, 7, 6.5, 6, 5.5, 5, 4.5]

/**
 * Draws the part that the payer keeps (recibo do pagador): the beneficiary with address and document (Lei 12.039/2009),
 * and the seller's instructions in full.
 */
export function drawPayerPart(
  document: PDFKit.PDFDocument,
  boleto: PrintedBoleto,
  { x, y }: { x: number; y: number },
  pix: OpenPix | undefined,
): void {
  const { beneficiary, payer, ourNumber, documentNumber, dueDay, amount, digitableLine } = boleto
  drawHead(document, { x, y }, 'Recibo do Pagador')
  drawParty(document, { x, y: y + 9, width: WIDTH, height: 12 }, 'Beneficiário', beneficiary)
  row(document, { x, y: y + 21, height: 8 }, [
    [40, 'Agência/Código do beneficiário', codeOf(boleto)],
    [42, 'Nosso número', ourNumber],
    [34, 'Nº do documento', documentNumber],
    [30, 'Vencimento', dayWritten(dueDay), { bold: true }],
    [34, 'Valor do documento', `R$ ${reais(amount)}`, { align: 'right', bold: true }],
  ])
  drawParty(document, { x, y: y + 29, width: WIDTH, height: 13 }, 'Pagador', payer)
  row(document, { x, y: y + 42, height: 9 }, [
    [WIDTH, 'Linha digitável', printedLine(digitableLine), { bold: true, size: 11 }],
  ])
  write(document, { x, y: y + 54, width: WIDTH, height: 4 }, 'Informações ao pagador', { bold: true })
  const text = instructionsOf(boleto).join('\n')
  const room = pix ? { width: WIDTH - QR_WIDTH - 4, height: 46 } : { width: WIDTH, height: 78 }
  write(document, { x, y: y + 59, ...room }, text, {
    size: sizeFor(text, { ...room, sizes: SIZES }) ?? SIZES.at(-1),
  })
  if (pix) drawPix(document, pix, { x, y: y + 54 })
  write(document, { x: x + 100, y: y + 140, width: WIDTH - 100, height: 3 }, 'Autenticação mecânica', {
    size: 6,
    align: 'right',
  })
}
