import Pdf from 'pdfkit'
import { MM } from './paper'
import { printable } from './printable'
import { documentWritten } from './slip-words'

/** Who pays or is paid. `address`: empty where none is shown. */
export type Party = { name: string; document: string; address: string }
/** A place for text, in millimetres, and the sizes of letters that may be tried, the largest first. */
export type Place = { width: number; height: number; sizes: readonly number[] }
export type FittedText = { text: string; size: number }

const ELLIPSIS = '…'
/** Letters of the East are wider than the question marks that the measured font has for them. */
const WIDE = /[\u1100-\u{10ffff}]/gu
/** Only measures: nothing is drawn on it. */
const measure = new Pdf({ size: 'A4' }).font('Helvetica')

/**
 * Fits a party into a place: name and document, and the address below. The law and the banks ask for all three, so
 * letters shrink until all fit, and then the name alone is cut, at a word.
 */
export function fitParty({ name, document, address }: Party, place: Place): FittedText {
  const textOf = (shown: string) => `${shown} – ${documentWritten(document)}\n${oneLine(address)}`.trim()
  const whole = oneLine(name)
  const size = sizeFor(textOf(whole), place)
  if (size !== undefined) return { text: textOf(whole), size }
  const smallest = place.sizes.at(-1) ?? 0
  const cut = longestOf(whole, (shown) => fits(textOf(shown), smallest, place))
  return { text: textOf(cut), size: smallest }
}

/** The largest letters in which a text fits. Undefined where it fits in none. */
export function sizeFor(text: string, place: Place): number | undefined {
  return place.sizes.find((size) => fits(text, size, place))
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}

function fits(text: string, size: number, { width, height }: Place): boolean {
  const measured = printable(
    text.replaceAll(WIDE, (letter) => (/\p{Script=Latin}|\p{P}/u.test(letter) ? letter : 'W')),
  )
  return measure.fontSize(size).heightOfString(measured, { width: width * MM, lineGap: 0 }) <= height * MM
}

/** The most of a name that fits: whole words, or letters of a first word that is too long by itself. */
function longestOf(name: string, fitsWell: (shown: string) => boolean): string {
  const words = name.split(' ')
  const starts = words.map((_word, at) => `${words.slice(0, at).join(' ')}${ELLIPSIS}`)
  const letters = Array.from(words[0] ?? '')
  const pieces = letters.map((_letter, at) => `${letters.slice(0, at).join('')}${ELLIPSIS}`)
  return starts.slice(1).findLast(fitsWell) ?? pieces.findLast(fitsWell) ?? ELLIPSIS
}
