import { printedLine } from '../rules/barcode'
import { BANK, WALLET } from '../rules/our-number'
import { barsOf } from './bars'
import type { Terms } from '../rules/boleto'
import { sizeFor } from './fitted-party'
import { cell, insideOf, MM, row, write } from './paper'
import { drawParty } from './party'
import type { PrintedBoleto } from './printed-boleto'
import { codeOf, dayWritten, instructionsOf, momentWritten, reais } from './slip-words'

type Document = PDFKit.PDFDocument

export const WIDTH = 180
const RIGHT = 45
const LEFT = WIDTH - RIGHT
/** FEBRABAN: 103 by 13 millimetres, with a quiet zone of five on the left. */
const BARCODE = { width: 103, height: 13, quiet: 5 }
const HEAD = 9
const INSTRUCTIONS_HEIGHT = 27
const INSTRUCTIONS = { ...insideOf({ width: LEFT, height: INSTRUCTIONS_HEIGHT }), sizes: [8, 7, 6, 5.5] }

/** Whether the cashier's part has room for all instructions, in the smallest letters at the least. */
export function fitsCashierPart(terms: Terms): boolean {
  return sizeFor(instructionsOf(terms).join('\n'), INSTRUCTIONS) !== undefined
}

/** Draws the bank, its code, and at the right the digitable line or a title. */
export function drawHead(document: Document, { x, y }: { x: number; y: number }, right: string): void {
  write(document, { x: x + 1, y: y + 3, width: 45, height: 6 }, BANK.name, { bold: true, size: 12 })
  document.moveTo((x + 47) * MM, (y + 1.5) * MM).lineTo((x + 47) * MM, (y + HEAD) * MM)
  document.moveTo((x + 65) * MM, (y + 1.5) * MM).lineTo((x + 65) * MM, (y + HEAD) * MM)
  document.lineWidth(1).strokeColor('#000000').stroke()
  write(document, { x: x + 48, y: y + 2.6, width: 18, height: 7 }, `${BANK.code}-${BANK.digit}`, {
    bold: true,
    size: 15,
  })
  write(document, { x: x + 66, y: y + 3.8, width: WIDTH - 66, height: 5 }, right, {
    bold: true,
    size: 11,
    align: 'right',
  })
}

/** Draws the part that is handed in at a bank (ficha de compensação; Banco do Brasil, annex I). */
export function drawSlip(
  document: Document,
  boleto: PrintedBoleto,
  { x, y }: { x: number; y: number },
): void {
  const { beneficiary, payer, digitableLine, dueDay, payableUntil } = boleto
  drawHead(document, { x, y }, printedLine(digitableLine))
  row(document, { x, y: y + HEAD, height: 8 }, [
    [LEFT, 'Local de pagamento', `Pagável em qualquer banco até ${dayWritten(payableUntil)}`],
    [RIGHT, 'Vencimento', dayWritten(dueDay), { align: 'right', bold: true }],
  ])
  drawParty(document, { x, y: y + 17, width: LEFT, height: 11 }, 'Beneficiário', beneficiary)
  const code = { x: x + LEFT, y: y + 17, width: RIGHT, height: 11 }
  cell(document, code, 'Agência/Código do beneficiário', codeOf(boleto), { align: 'right' })
  drawNumbers(document, boleto, { x, y: y + 28 })
  drawAmounts(document, boleto, { x, y: y + 44 })
  drawParty(document, { x, y: y + 71, width: WIDTH, height: 13 }, 'Pagador', payer)
  drawBarcode(document, boleto, { x, y: y + 86 })
}

function drawNumbers(document: Document, boleto: PrintedBoleto, { x, y }: { x: number; y: number }): void {
  const { createdAt, documentNumber, ourNumber, amount } = boleto
  const issued = momentWritten(createdAt)
  row(document, { x, y, height: 8 }, [
    [25, 'Data do documento', issued],
    [40, 'Nº do documento', documentNumber],
    [20, 'Espécie doc.', 'DM'],
    [15, 'Aceite', 'N'],
    [35, 'Data do processamento', issued],
    [RIGHT, 'Nosso número', ourNumber, { align: 'right' }],
  ])
  row(document, { x, y: y + 8, height: 8 }, [
    [25, 'Uso do banco', ''],
    [20, 'Carteira', WALLET],
    [20, 'Espécie', 'R$'],
    [35, 'Quantidade', ''],
    [35, '(x) Valor', ''],
    [RIGHT, '(=) Valor do documento', reais(amount), { align: 'right', bold: true }],
  ])
}

function drawAmounts(document: Document, boleto: PrintedBoleto, { x, y }: { x: number; y: number }): void {
  const label = 'Informações de responsabilidade do beneficiário'
  const text = instructionsOf(boleto).join('\n')
  const size = sizeFor(text, INSTRUCTIONS) ?? INSTRUCTIONS.sizes.at(-1)
  cell(document, { x, y, width: LEFT, height: INSTRUCTIONS_HEIGHT }, label, text, { size })
  const asked = ['(-) Desconto/Abatimento', '(+) Juros/Multa', '(=) Valor cobrado']
  for (const [at, name] of asked.entries()) {
    cell(document, { x: x + LEFT, y: y + 9 * at, width: RIGHT, height: 9 }, name, '')
  }
}

function drawBarcode(
  document: Document,
  { barcode }: PrintedBoleto,
  { x, y }: { x: number; y: number },
): void {
  const { bars, modules } = barsOf(barcode)
  const module = (BARCODE.width / modules) * MM
  const left = (x + BARCODE.quiet) * MM
  for (const { at, width } of bars) {
    document.rect(left + at * module, y * MM, width * module, BARCODE.height * MM)
  }
  document.fill('#000000')
  const box = { x: x + 115, y, width: WIDTH - 115, height: 3 }
  write(document, box, 'Autenticação mecânica – Ficha de Compensação', { size: 6, align: 'right' })
}
