/** The most characters of a name or description in a letter. */
const LENGTH_MAX = 200

// Control characters, line and paragraph separators, and characters that change the direction of the text after them.
const UNSEEN = /[\p{Cc}\u2028\u2029\u200E\u200F\u202A-\u202E\u2066-\u2069]+/gu

/** Free text on one line: it cannot end a header of an e-mail, and nothing after it reads backwards. */
export function oneLine(text: string): string {
  const line = wholeLine(text)
  const letters = Array.from(line)
  return letters.length > LENGTH_MAX ? `${letters.slice(0, LENGTH_MAX - 1).join('')}…` : line
}

/** Free text on one line, however long. */
export function wholeLine(text: string): string {
  return text.replaceAll(UNSEEN, ' ').replaceAll(/\s+/g, ' ').trim()
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text for an HTML page, between tags or between quotes. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (letter) => ENTITIES[letter] ?? '')
}
