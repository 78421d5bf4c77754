import type { Theme } from '../catalog/themes/theme'
import type { Content, Line } from './letter-content'
import { paletteOf, type Palette } from './palette'
import { escapeHtml } from './plain-text'

// Mail clients support tables and inline styles; most drop style sheets. Only the logo is loaded.
const FONT = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
/** Names the picture of the QR code within a letter. */
export const PIX_PICTURE = 'pix@invoice'
const TABLE = 'role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"'

/** The parts that every letter has. */
type Frame = Pick<
  Content,
  'language' | 'subject' | 'sellerName' | 'title' | 'greeting' | 'sentence' | 'action' | 'footer'
>

/** A letter as a page in the seller's colors. */
export function htmlOf(content: Content, theme: Theme): string {
  const colors = paletteOf(theme)
  return framedHtml(content, theme, {
    before: amountOf(content, colors),
    after: `${pixOf(content, colors)}${itemsOf(content, colors)}`,
  })
}

/**
 * A page in the seller's colors: one column, good on a phone, readable without its logo. `before` and `after` are rows of
 * HTML around its button.
 */
export function framedHtml(
  frame: Frame,
  theme: Theme,
  { before, after }: { before: string; after: string },
): string {
  const colors = paletteOf(theme)
  return `<!doctype html>
<html lang="${frame.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light">
<title>${escapeHtml(frame.subject)}</title>
</head>
<body style="margin:0;padding:0;background:${colors.background};color:${colors.text};${FONT};font-size:16px;line-height:1.5">
<div style="display:none;max-height:0;overflow:hidden">${escapeHtml(frame.sentence)}</div>
<table ${TABLE} style="background:${colors.background}"><tr><td align="center">
<table ${TABLE} style="max-width:600px">
${headOf(frame, theme, colors)}
<tr><td style="padding:28px 24px 8px">
<h1 style="margin:0 0 12px;font-size:24px;line-height:1.25">${escapeHtml(frame.title)}</h1>
<p style="margin:0 0 4px">${escapeHtml(frame.greeting)}</p>
<p style="margin:0">${escapeHtml(frame.sentence)}</p>
</td></tr>
${before}
${actionOf(frame, colors)}
${after}
${footOf(frame, colors)}
</table>
</td></tr></table>
</body>
</html>
`
}

function headOf({ sellerName }: Frame, { logoUrl }: Theme, { header }: Palette): string {
  const shown =
    logoUrl !== null && /^https?:\/\//.test(logoUrl)
      ? `<img src="${escapeHtml(logoUrl)}" alt="${escapeHtml(sellerName)}" height="40" style="display:block;height:40px;max-width:240px;border:0;color:${header.text}">`
      : escapeHtml(sellerName)
  if (shown === '') return ''
  return `<tr><td style="padding:18px 24px;background:${header.background};color:${header.text};font-size:18px;font-weight:600;border-bottom:3px solid ${header.line};overflow-wrap:anywhere">${shown}</td></tr>`
}

function amountOf({ amount, facts, note }: Content, { muted, text }: Palette): string {
  const shown = facts.map(
    ({ label, value }) =>
      `<p style="margin:0;color:${muted}">${escapeHtml(label)}: <strong style="color:${text}">${escapeHtml(value)}</strong></p>`,
  )
  return `<tr><td style="padding:16px 24px 8px">
<p style="margin:0;color:${muted};font-size:14px">${escapeHtml(amount.label)}</p>
<p style="margin:0 0 8px;font-size:34px;line-height:1.2;font-weight:700">${unbroken(amount.value)}</p>
${shown.join('\n')}
${note === '' ? '' : `<p style="margin:8px 0 0;color:${muted};font-size:14px">${escapeHtml(note)}</p>`}
</td></tr>`
}

function actionOf({ action }: Frame, { button, muted, text }: Palette): string {
  if (!action) return ''
  const url = escapeHtml(action.url)
  return `<tr><td style="padding:16px 24px 8px">
<table ${TABLE}><tr><td align="center" bgcolor="${button.background}" style="border-radius:8px;background:${button.background}">
<a href="${url}" style="display:block;padding:15px 20px;color:${button.text};font-size:17px;font-weight:600;text-decoration:none">${escapeHtml(action.label)}</a>
</td></tr></table>
<p style="margin:12px 0 0;color:${muted};font-size:13px">${escapeHtml(action.orOpen)}<br><a href="${url}" style="color:${text};word-break:break-all">${url}</a></p>
</td></tr>`
}

function pixOf({ pix }: Content, { line, muted }: Palette): string {
  if (!pix) return ''
  return `<tr><td align="center" style="padding:24px 24px 8px">
<p style="margin:0 0 4px;font-size:17px;font-weight:600">${escapeHtml(pix.title)}</p>
<p style="margin:0 0 12px;color:${muted};font-size:14px">${escapeHtml(pix.howTo)}</p>
<img src="cid:${PIX_PICTURE}" alt="${escapeHtml(pix.picture)}" width="220" height="220" style="display:block;width:220px;height:220px;border:0;background:#ffffff">
<p style="margin:12px 0 4px;color:${muted};font-size:14px">${escapeHtml(pix.label)}</p>
<p style="margin:0;padding:10px 12px;border:1px solid ${line};font-family:Menlo,Consolas,monospace;font-size:13px;text-align:left;word-break:break-all">${escapeHtml(pix.code)}</p>
</td></tr>
`
}

function itemsOf({ itemsLabel, items, more, sums, amount }: Content, { line, muted, text }: Palette): string {
  if (items.length === 0) return ''
  const rows = items.map(({ description, count, total, url = '' }) => {
    const name = escapeHtml(description)
    const linked = url === '' ? name : `<a href="${escapeHtml(url)}" style="color:${text}">${name}</a>`
    const below =
      count === '' ? '' : `<br><span style="color:${muted};font-size:14px">${unbroken(count)}</span>`
    return rowOf(`${linked}${below}`, total, `border-top:1px solid ${line}`)
  })
  const rest = more === '' ? [] : [rowOf(`<span style="color:${muted}">${escapeHtml(more)}</span>`, '', '')]
  const sumRows = sums.map((sum) => sumOf(sum, `border-top:1px solid ${line};color:${muted}`))
  return `<tr><td style="padding:24px 24px 8px">
<p style="margin:0 0 6px;color:${muted};font-size:14px">${escapeHtml(itemsLabel)}</p>
<table ${TABLE} style="font-size:15px">
${[...rows, ...rest, ...sumRows, sumOf(amount, `border-top:2px solid ${line};font-weight:700`)].join('\n')}
</table>
</td></tr>`
}

function sumOf({ label, value }: Line, style: string): string {
  return rowOf(escapeHtml(label), value, style)
}

/** `left`: HTML. */
function rowOf(left: string, right: string, style: string): string {
  return `<tr><td valign="top" style="padding:9px 12px 9px 0;overflow-wrap:anywhere;${style}">${left}</td><td valign="top" align="right" style="padding:9px 0;${style}">${unbroken(right)}</td></tr>`
}

function footOf({ footer }: Frame, { line, muted }: Palette): string {
  const shown = footer.map((each) => `<p style="margin:0 0 6px">${escapeHtml(each)}</p>`)
  return `<tr><td style="padding:20px 24px 36px"><div style="border-top:1px solid ${line};padding-top:14px;color:${muted};font-size:13px;overflow-wrap:anywhere">
${shown.join('\n')}
</div></td></tr>`
}

/** An amount stays on one line. */
function unbroken(text: string): string {
  return escapeHtml(text).replaceAll(' ', '&nbsp;')
}
