import { fitParty, type Party } from '../../boletos/pdf/fitted-party'
import { printedLine } from '../../boletos/rules/barcode'
import { BANK, WALLET } from '../../boletos/rules/our-number'
import { escapeHtml } from '../../letters/plain-text'
import { barsSvg } from './bars-svg'
import { cellsHtml, wordsHtml, type Cell } from './cells'
import type { PrintedSlip } from './printed-slip'

/** A slip of a booklet: at the left the payer's part (canhoto), at the right the part that is handed in at a bank. */
export function slipHtml(slip: PrintedSlip): string {
  return `<article class="slip">
<section class="stub">
<h2>${slip.title}</h2>
<p class="kind"><span>Recibo do Pagador</span><span class="standing">${slip.standingWord}</span></p>
${stubCells(slip)}
</section>
<section class="form">
${slip.mark === undefined ? '' : acrossSvg(slip.mark)}
${headHtml(slip)}
${formCells(slip)}
${slip.printed ? barsHtml(slip.printed.barcode) : absentHtml(slip)}
</section>
</article>`
}

/** The cells of parties on paper, in millimetres. They are a tenth wider: a reader's font may be wider than ours. */
const SIZES = [8, 7.5, 7, 6.5, 6, 5.5]
const STUB = { width: 33, height: 7.6, sizes: SIZES.slice(2), look: '' }
const PAID_TO = { width: 99, height: 8.6, sizes: SIZES, look: 'w27 wide tall' }
const PAYING = { width: 134, height: 8.6, sizes: SIZES, look: 'wide tall' }

function partyCell(label: string, party: Party, { look, ...place }: typeof STUB): Cell {
  const { text, size } = fitParty(party, place)
  return { label, value: text, look: `${look} party z${size * 10}` }
}

/** The seller's name, while no bank has said whom the slip pays. */
function payToCell({ payTo }: PrintedSlip, look = ''): Cell {
  return { label: 'Beneficiário', value: payTo, look: `${look} two` }
}

function stubCells(slip: PrintedSlip): string {
  const { due, amount, ourNumber, documentNumber, beneficiary, payer } = slip
  return cellsHtml([
    { label: 'Vencimento', value: due, look: 'strong money' },
    { label: '(=) Valor do documento', value: `R$ ${amount}`, look: 'strong money' },
    { label: '(-) Desconto/Abatimento', value: '' },
    { label: '(+) Juros/Multa', value: '' },
    { label: '(=) Valor cobrado', value: '' },
    { label: 'Nosso número', value: ourNumber },
    { label: 'Nº do documento', value: documentNumber },
    beneficiary ? partyCell('Beneficiário', { ...beneficiary, address: '' }, STUB) : payToCell(slip),
    partyCell('Pagador', { ...payer, address: '' }, STUB),
  ])
}

function headHtml({ printed, payTo }: PrintedSlip): string {
  if (!printed) return `<div class="head"><span class="issuer">${wordsHtml(payTo)}</span></div>`
  return `<div class="head"><span class="bank">${BANK.name}</span><span class="code">${BANK.code}-${BANK.digit}</span><span class="line">${printedLine(printed.digitableLine)}</span></div>`
}

function formCells(slip: PrintedSlip): string {
  const { beneficiary, payer, code, printed, documentNumber, ourNumber, issued, due, amount } = slip
  return cellsHtml([
    { label: 'Local de pagamento', value: slip.place, look: 'w27 wide' },
    { label: 'Vencimento', value: due, look: 'w9 money strong' },
    beneficiary ? partyCell('Beneficiário', beneficiary, PAID_TO) : payToCell(slip, PAID_TO.look),
    { label: 'Agência/Código do beneficiário', value: code, look: 'w9 tall money paper' },
    { label: 'Data do documento', value: issued, look: 'w6' },
    { label: 'Nº do documento', value: documentNumber, look: 'w7' },
    { label: 'Espécie doc.', value: 'DM', look: 'w4 paper' },
    { label: 'Aceite', value: 'N', look: 'w3 paper' },
    { label: 'Data do processamento', value: issued, look: 'w7 paper' },
    { label: 'Nosso número', value: ourNumber, look: 'w9 money wide' },
    { label: 'Uso do banco', value: '', look: 'w6 paper' },
    { label: 'Carteira', value: printed ? WALLET : '', look: 'w4 paper' },
    { label: 'Espécie', value: 'R$', look: 'w4 paper' },
    { label: 'Quantidade', value: '', look: 'w6 paper' },
    { label: '(x) Valor', value: '', look: 'w7 paper' },
    { label: '(=) Valor do documento', value: `R$ ${amount}`, look: 'w9 money strong' },
    { label: 'Informações de responsabilidade do beneficiário', value: slip.instructions, look: 'says wide' },
    { label: '(-) Desconto/Abatimento', value: '', look: 'w9 paper' },
    { label: '(+) Juros/Multa', value: '', look: 'w9 paper' },
    { label: '(=) Valor cobrado', value: '', look: 'w9 paper' },
    partyCell('Pagador', payer, PAYING),
  ])
}

function barsHtml(barcode: string): string {
  return `<div class="bars">${barsSvg(barcode)}<p>Autenticação mecânica<br>Ficha de Compensação</p></div>`
}

/** Says why the slip has no digits, and what the payer can do. */
function absentHtml({ standing, paymentUrl }: PrintedSlip): string {
  const said = {
    PAID: 'Esta parcela já foi paga.',
    CANCELLED: 'Esta parcela foi cancelada e não deve ser paga.',
    PENDING:
      'O banco ainda não confirmou o registro deste boleto. Abra o carnê novamente em alguns instantes para imprimir esta parcela.',
    NONE: 'Não há boleto para esta parcela. Ela pode ser paga em',
    EXPIRED: '',
    REGISTERED: '',
  }[standing]
  const url = escapeHtml(paymentUrl)
  return `<p class="absent">${said}${standing === 'NONE' ? ` <a href="${url}">${url}</a>` : ''}</p>`
}

/** Large letters behind the text. */
function acrossSvg(word: string): string {
  return `<svg class="across" viewBox="0 0 300 130" aria-hidden="true"><text x="150" y="78" transform="rotate(-14 150 65)">${word}</text></svg>`
}
