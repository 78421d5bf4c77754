import { buffer } from 'node:stream/consumers'
import Pdf from 'pdfkit'
import type { OpenPix } from '../../letters/open-pix'
import { cutLine, mark, write } from './paper'
import { drawPayerPart } from './payer-part'
import type { PrintedBoleto } from './printed-boleto'
import { drawSlip, WIDTH } from './slip-part'
import { markOf, SANDBOX_LINE } from './slip-words'

const LEFT = 15
const PAYER_TOP = 12
const CUT = 172
const SLIP_TOP = 178

/** `pix`: the charge that the payer may answer in its place. */
type Drawn = { boleto: PrintedBoleto; pix: OpenPix | undefined }

/** Draws one boleto, as drawBoletos draws several. */
export function drawBoleto(
  boleto: PrintedBoleto,
  { isPayable, pix }: { isPayable: boolean; pix?: OpenPix | undefined },
): Promise<Buffer> {
  return drawBoletos([{ boleto, pix }], isPayable)
}

/** Draws boletos, each on one A4 page: the payer's part, and below the cut the bank's. `isPayable` false: a sandbox's, and it says so. */
export async function drawBoletos(drawn: readonly Drawn[], isPayable: boolean): Promise<Buffer> {
  const [first] = drawn
  const document = new Pdf({
    size: 'A4',
    margin: 0,
    lang: 'pt-BR',
    autoFirstPage: false,
    info: {
      Title: `Boleto ${first?.boleto.documentNumber ?? ''}`,
      CreationDate: new Date(first?.boleto.updatedAt ?? 0),
    },
  })
  const whole = buffer(document)
  for (const each of drawn) drawPage(document.addPage(), each, isPayable)
  document.end()
  return whole
}

function drawPage(document: PDFKit.PDFDocument, { boleto, pix }: Drawn, isPayable: boolean): void {
  const word = markOf(boleto, isPayable)
  if (word !== undefined) {
    for (const [y, height] of [
      [PAYER_TOP, CUT - PAYER_TOP],
      [SLIP_TOP, 100],
    ] as const) {
      mark(document, { x: LEFT, y, width: WIDTH, height }, word)
    }
  }
  if (!isPayable) {
    write(document, { x: LEFT, y: 6, width: WIDTH, height: 5 }, SANDBOX_LINE, { bold: true, size: 10 })
  }
  drawPayerPart(document, boleto, { x: LEFT, y: PAYER_TOP }, pix)
  write(document, { x: LEFT, y: CUT - 3, width: WIDTH, height: 3 }, 'Corte aqui', { size: 6, align: 'right' })
  cutLine(document, LEFT, CUT, WIDTH)
  drawSlip(document, boleto, { x: LEFT, y: SLIP_TOP })
}
