import type { Canaries } from './canaries'
import { goodBody, openCard, placesOf, type Json } from './good-bodies'
import { fillPath, type Operation } from './operations'
import { JSON_TYPE, type Product } from './product'
import { replaced } from './send-canaries'

const SEPARATORS = [' ', '  ', '   ', ' - ', '-', '.', '/', '\\', '_', '|', '*', '+', '~', '\t', '\n', '\r\n']
const SEPARATORS_OF_ANY_SCRIPT = [
  '·',
  '•',
  '‧',
  '\u2212',
  '\u2013',
  '\u2014',
  '\u2011',
  '\u00a0',
  '\u2009',
  '\u3000',
]
const UNSEEN = ['\u200b', '\u200c', '\u200e', '\u2060', '\u00ad', '\ufeff', '\ufe0f', '\u034f']

const inFours = (number: string, separator: string) => (number.match(/.{4}/g) ?? []).join(separator)
const betweenDigits = (number: string, separator: string) => number.replaceAll(/(?<=\d)(?=\d)/g, separator)
/** In the digits of a script, of which the first is its zero. */
const inScript = (number: string, zero: number) =>
  number.replaceAll(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)))

/** Ways in which people and programs write the sixteen digits of a card where none belongs. */
export const SPELLINGS: readonly ((number: string) => string)[] = [
  ...[...SEPARATORS, ...SEPARATORS_OF_ANY_SCRIPT, ...UNSEEN].map(
    (separator) => (number: string) => inFours(number, separator),
  ),
  (number) => `${number.slice(0, 8)} ${number.slice(8)}`,
  (number) => betweenDigits(number, ' '),
  (number) => betweenDigits(number, '\u200b'),
  (number) => `PAN${number}`,
  (number) => `${number}.00`,
  (number) => `${number}1231`,
  (number) => inScript(number, 0xff10),
  (number) => inScript(number, 0x0660),
  (number) => inScript(number, 0x0966),
  (number) => `%B${number}^SOUZA/ANA^3012101?`,
  (number) => `;${number}=30121010000000?`,
]

/** Members that take any text: what passes there would be kept. */
const FREE_TEXT = /(name|description|title|reason|reference|street|complement|metadata\/\w+)$/i

/** A number in each spelling, in a member of the body that takes any text, or in its first text. */
export async function respell(
  product: Product,
  operation: Operation,
  { canaries, chargeId, ...given }: { canaries: Canaries; chargeId: number; token: string; inbox: string },
): Promise<{ what: string; status: number }[]> {
  const path = fillPath(operation.path, { sellerId: product.ready.sellerId, id: chargeId })
  const good = (): Json => {
    const canary = canaries.next('VISA')
    return goodBody(path, { card: { ...openCard(canary), cvv: canary.cvv }, ...given })
  }
  const places = placesOf(good()).filter(({ holder, name }) => typeof holder[name] === 'string')
  const place = places.find(({ pointer }) => FREE_TEXT.test(pointer)) ?? places[0]
  if (!place) return []
  const told = []
  for (const [nth, spell] of SPELLINGS.entries()) {
    const body = replaced(good(), place.pointer, `Ana ${spell(canaries.next('VISA').number)}`)
    const { status } = await product.ask(operation.method, path, {
      headers: JSON_TYPE,
      body: JSON.stringify(body),
    })
    told.push({ what: `${operation.method} ${operation.path} ${place.pointer}, spelling ${nth}`, status })
  }
  return told
}
