import { transliterate } from 'transliteration'

const CHARACTERS = new Intl.Segmenter()

/** Cuts a text for a partner, at the end of a whole character, as readers see one. `max`: UTF-16 units. */
export function cutTo(text: string, max: number): string {
  if (text.length <= max) return text
  const last = CHARACTERS.segment(text).containing(max)
  return text.slice(0, last?.index ?? max)
}

/**
 * Writes a text for a partner that takes only ASCII: accents go, and letters of other scripts become Latin ones. A
 * character without a Latin letter goes too. At most `max` characters, on one line.
 */
export function inAscii(text: string, max: number): string {
  const plain = transliterate(text.normalize('NFKC')).replaceAll(/[^ -~]+/g, ' ')
  return plain.replaceAll(/ +/g, ' ').trim().slice(0, max).trim()
}
