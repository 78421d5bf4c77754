import { printedLine } from '../boleto/barcode'
import { row, write } from './paper'
import type { PrintedBoleto } from './printed-boleto'
import { drawHead, drawPayer, WIDTH } from './slip-part'
import { codeOf, dayWritten, documentWritten, instructionsOf, reais } from './slip-words'

/**
 * Draws the part that the payer keeps (recibo do pagador): the beneficiary with address and document (Lei 12.039/2009),
 * and the seller's instructions in full.
 */
export function drawPayerPart(
  document: PDFKit.PDFDocument,
  boleto: PrintedBoleto,
  { x, y }: { x: number; y: number },
): void {
  const { beneficiary, ourNumber, documentNumber, dueDay, amount, digitableLine } = boleto
  drawHead(document, { x, y }, 'Recibo do Pagador')
  const to = `${beneficiary.name} – ${documentWritten(beneficiary.document)}\n${beneficiary.address}`
  row(document, { x, y: y + 9, height: 12 }, [[WIDTH, 'Beneficiário', to]])
  row(document, { x, y: y + 21, height: 8 }, [
    [40, 'Agência/Código do beneficiário', codeOf(boleto)],
    [42, 'Nosso número', ourNumber],
    [34, 'Nº do documento', documentNumber],
    [30, 'Vencimento', dayWritten(dueDay), { bold: true }],
    [34, 'Valor do documento', `R$ ${reais(amount)}`, { align: 'right', bold: true }],
  ])
  drawPayer(document, boleto, { x, y: y + 29, width: WIDTH, height: 13 })
  row(document, { x, y: y + 42, height: 9 }, [
    [WIDTH, 'Linha digitável', printedLine(digitableLine), { bold: true, size: 11 }],
  ])
  write(document, { x, y: y + 54, width: WIDTH, height: 4 }, 'Informações ao pagador', { bold: true })
  const text = instructionsOf(boleto).join('\n')
  write(document, { x, y: y + 59, width: WIDTH, height: 78 }, text, { size: 8 })
  write(document, { x: x + 100, y: y + 140, width: WIDTH - 100, height: 3 }, 'Autenticação mecânica', {
    size: 6,
    align: 'right',
  })
}
