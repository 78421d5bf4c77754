import { Cryptogram } from '../cards/cryptogram'
import type { Expiration } from '../body/expiration'
import { isJsonObject, parseJson, type Json, type JsonObject } from '../body/json'
import { Pan } from '../cards/pan'
import type { PartnerSetting } from './partners'

type CapturedNumber = { number: Pan; expiration: Expiration }

/** The part of a partner's answer that stays in the vault. `renewed`: of a card whose issuer gave it a new number. */
export type Captured = { number?: CapturedNumber; cryptogram?: Cryptogram; renewed?: CapturedNumber }

/** Reads the numbers of an answer at the places that the partner's settings name; leaves out malformed ones. */
export function readCaptured(body: Uint8Array, { captures, renewal }: PartnerSetting): Captured {
  const answer = captures || renewal ? parseJson(body) : undefined
  if (!isJsonObject(answer)) return {}
  const renewed = renewal && readRenewed(answer, renewal)
  return { ...(captures ? numbersOf(answer, captures) : {}), ...(renewed ? { renewed } : {}) }
}

function numbersOf(
  answer: JsonObject,
  captures: NonNullable<PartnerSetting['captures']>,
): Pick<Captured, 'number' | 'cryptogram'> {
  const number = valueAt(answer, captures.tokenNumber)
  const expiration = {
    month: Number(valueAt(answer, captures.tokenExpirationMonth)),
    year: Number(valueAt(answer, captures.tokenExpirationYear)),
  }
  const cryptogram = valueAt(answer, captures.cryptogram)
  return {
    ...(isCardNumber(number) && isExpiration(expiration)
      ? { number: { number: new Pan(number), expiration } }
      : {}),
    ...(Cryptogram.isOne(cryptogram) ? { cryptogram: new Cryptogram(cryptogram) } : {}),
  }
}

function readRenewed(
  answer: JsonObject,
  renewal: NonNullable<PartnerSetting['renewal']>,
): CapturedNumber | undefined {
  const number = valueAt(answer, renewal.cardNumber)
  const text = valueAt(answer, renewal.expiration)
  const [month = 0, year = 0] = typeof text === 'string' ? text.split('/').map(Number) : []
  if (!isCardNumber(number) || !isExpiration({ month, year })) return undefined
  return { number: new Pan(number), expiration: { month, year } }
}

function isCardNumber(value: Json | undefined): value is string {
  return typeof value === 'string' && /^\d{13,19}$/.test(value)
}

function isExpiration({ month, year }: Expiration): boolean {
  return (
    Number.isInteger(month) &&
    month >= 1 &&
    month <= 12 &&
    Number.isInteger(year) &&
    year >= 2000 &&
    year < 10_000
  )
}

export function valueAt(answer: Json, pointer: string): Json | undefined {
  return pointer
    .split('/')
    .slice(1)
    .reduce<Json | undefined>((node, name) => (isJsonObject(node) ? node[name] : undefined), answer)
}
