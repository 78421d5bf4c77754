import { escapeHtml, oneLine, wholeLine } from '../../letters/plain-text'

/** A labelled box of a slip. `look`: its CSS classes, among them its width in 36ths. */
export type Cell = { label: string; value: string; look?: string }

/** The boxes of a slip, in order. Text that does not fit on paper ends in an ellipsis. */
export function cellsHtml(cells: readonly Cell[]): string {
  const shown = cells.map(
    ({ label, value, look = '' }) =>
      `<div class="${look}"><dt>${escapeHtml(label)}</dt><dd>${lines(value)}</dd></div>`,
  )
  return `<dl class="cells">${shown.join('')}</dl>`
}

/** Free text as HTML, line by line. What is too long for its box is cut by the style. */
function lines(text: string): string {
  return text
    .split('\n')
    .map((line) => escapeHtml(wholeLine(line)))
    .join('\n')
}

/** Free text as HTML, on one line. */
export function wordsHtml(text: string): string {
  return escapeHtml(oneLine(text))
}
