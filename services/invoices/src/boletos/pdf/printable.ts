import { transliterate } from 'transliteration'

/** Characters outside Windows-1252, the letters of the fonts that every PDF reader has, with the marks on them. */
const OTHERS = /[^\n\u0020-\u007e\u00a0-\u00ac\u00ae-\u00ff–—‘’“”•…€]+/gu
/** Marks and control characters, which only join or change other letters. */
const INVISIBLE = /[\p{M}\p{Cf}\p{Cc}]/gu

/**
 * Returns a text in the letters that can be printed. Accents that the fonts lack are left out; the letters of other
 * scripts are written in Latin ones. A character without a Latin letter becomes a question mark.
 */
export function printable(text: string): string {
  return text.normalize('NFC').replaceAll(OTHERS, (letters) => {
    const plain = transliterate(letters.normalize('NFKC').replaceAll(INVISIBLE, ''), { unknown: '?' })
    return plain.replaceAll(/[^\n\u0020-\u007e]/g, '?')
  })
}
