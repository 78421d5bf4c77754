import type { Content, Line } from './letter-content'

/** A letter as text, for readers without HTML. */
export function textOf(content: Content): string {
  const { title, greeting, sentence, amount, facts, items, more, sums, note, action, pix, footer } = content
  const parts = [
    [title],
    [greeting, sentence],
    [amount, ...facts].map(lineText),
    [
      ...(items.length === 0 ? [] : [`${content.itemsLabel}:`]),
      ...items.map(({ description, count, total, url = '' }) =>
        ['-', description, count === '' ? '' : `(${count})`, total, url].filter(Boolean).join(' '),
      ),
      ...(more === '' ? [] : [`- ${more}`]),
    ],
    sums.map(lineText),
    [note],
    action ? [`${action.label}:`, action.url] : [],
    pix ? [pix.title, pix.howTo, `${pix.label}:`, pix.code] : [],
    footer,
  ]
  const written = parts.map((lines) => lines.filter((line) => line !== '').join('\n'))
  return `${written.filter((part) => part !== '').join('\n\n')}\n`
}

function lineText({ label, value }: Line): string {
  return `${label}: ${value}`
}
