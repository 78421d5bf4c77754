import { Cryptogram } from '../cards/cryptogram'
import type { Expiration } from '../body/expiration'
import { isJsonObject, parseJson, type Json } from '../body/json'
import { Pan } from '../cards/pan'
import type { PartnerSetting } from './partners'

/** The part of a partner's answer that stays in the vault. */
export type Captured = { number?: { number: Pan; expiration: Expiration }; cryptogram?: Cryptogram }

/** Reads the numbers of an answer at the places that the partner's settings name; leaves out malformed ones. */
export function readCaptured(body: Uint8Array, { captures }: PartnerSetting): Captured {
  const answer = captures && parseJson(body)
  if (!captures || !isJsonObject(answer)) return {}
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
