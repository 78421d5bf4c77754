import { createHash } from 'node:crypto'
import type { BookletSlip } from '../booklet-slip'
import { documentWritten, momentWritten, reais, SANDBOX_LINE } from '../../boletos/pdf/slip-words'
import type { Theme } from '../../catalog/themes/theme'
import { colorsOf } from './booklet-colors'
import { BOOKLET_STYLE } from './booklet-style'
import { wordsHtml } from './cells'
import { printedSlip, type Shared } from './printed-slip'
import { slipHtml } from './slip-html'

export type BookletFacts = Shared & { slips: readonly BookletSlip[]; theme: Theme }

/** A page, and the source (`style`) with which a Content-Security-Policy allows its style, its only asset. */
export type DrawnBooklet = { html: string; style: string }

/** Draws all slips of a booklet as one page to print on A4, three to a sheet. It loads nothing and runs nothing. */
export function drawBooklet({ slips, theme, ...shared }: BookletFacts): DrawnBooklet {
  const css = `${colorsOf(theme)}${BOOKLET_STYLE}`
  const style = `'sha256-${createHash('sha256').update(css).digest('base64')}'`
  const drawn = slips.map((slip) => printedSlip(slip, shared))
  const payTo = drawn.find(({ printed }) => printed)?.payTo ?? shared.sellerName
  const payer = slips[0]?.invoice.customer
  const title = shared.charges === null ? 'Boletos' : 'Carnê de pagamento'
  const html = `<!doctype html>
<html lang="pt-BR">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src ${style}; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="referrer" content="no-referrer">
<title>${title}${payer ? ` – ${wordsHtml(payer.name)}` : ''}</title>
<style>${css}</style>
</head>
<body>
<header><div>
<p>${wordsHtml(payTo)}</p>
<h1>${title}</h1>
${payer ? `<p>${wordsHtml(payer.name)} – ${documentWritten(payer.document)}</p>` : ''}
${sumsHtml(slips)}
</div></header>
<main>
${shared.isPayable ? '' : `<p class="sandbox">${SANDBOX_LINE}</p>`}
<p>Para imprimir: papel A4, escala de 100%. Recorte nas linhas tracejadas.</p>
${drawn.map(slipHtml).join('\n')}
</main>
</body>
</html>
`
  return { html, style }
}

function sumsHtml(slips: readonly BookletSlip[]): string {
  const [first, last] = [slips[0]?.invoice, slips.at(-1)?.invoice]
  if (!first || !last) return '<p>Ainda não há parcelas.</p>'
  const total = slips.reduce((sum, { invoice }) => sum + invoice.amount, 0)
  const paid = slips.filter(({ invoice }) => invoice.status === 'PAID').length
  const shown = [
    ['Parcelas', String(slips.length)],
    ['Pagas', String(paid)],
    ['Total', `R$ ${reais(total)}`],
    ['Primeiro vencimento', momentWritten(first.dueDate)],
    ['Último vencimento', momentWritten(last.dueDate)],
  ]
  const lines = shown.map(([label, value]) => `<div><dt>${label}: </dt><dd>${value}</dd></div>`)
  return `<dl class="sums">${lines.join('')}</dl>`
}
