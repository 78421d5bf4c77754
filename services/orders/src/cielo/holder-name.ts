import { transliterate } from 'transliteration'

const HOLDER_MAX = 25
/** For a card whose holder and payer have no name that the acquirer takes, such as digits or an emoji. */
const NEUTRAL = 'CARDHOLDER'

/** The holder's name for the acquirer, or else the payer's, or else a neutral one: the acquirer refuses a sale without. */
export function holderOnCard(holder: string, payer: string): string {
  return plainName(holder) || plainName(payer) || NEUTRAL
}

/**
 * Writes a name in the letters A to Z and spaces, as on a card: the acquirer refuses all else (error 214) and more than
 * 25 characters. Letters of other scripts are transliterated. Empty when a name has no letters.
 */
export function plainName(name: string): string {
  // The ordinal signs ª and º stand behind numbers, which go too.
  const words = name.replace(/[ªº]/g, '').normalize('NFKC').replace(WORD, inLatin)
  const plain = words.replace(/[^A-Za-z]+/g, ' ')
  return plain.trim().slice(0, HOLDER_MAX).trim()
}

/** Letters with their marks. */
const WORD = /[\p{L}\p{M}]+/gu

/** Some letters become an apostrophe, which is no end of a word. */
function inLatin(word: string): string {
  return transliterate(word).replace(/[^A-Za-z ]/g, '')
}
