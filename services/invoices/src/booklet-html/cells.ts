import { escapeHtml, oneLine } from '../letters/plain-text'

/** A labelled box of a slip. `width`: of 36. `look`: classes of the style. */
export type Cell = { label: string; value: string; look?: string }

/** Boxes of a slip, in their order. What does not fit on paper ends in an ellipsis. */
export function cellsHtml(cells: readonly Cell[]): string {
  const shown = cells.map(
    ({ label, value, look = '' }) =>
      `<div class="${look}"><dt>${escapeHtml(label)}</dt><dd>${lines(value)}</dd></div>`,
  )
  return `<dl class="cells">${shown.join('')}</dl>`
}

/** What somebody wrote, line by line. */
function lines(text: string): string {
  return text.split('\n').map(wordsHtml).join('\n')
}

/** What somebody wrote, on one line. */
export function wordsHtml(text: string): string {
  return escapeHtml(oneLine(text))
}
