import { z } from 'zod'

/** Whole cents of Brazilian reais, up to the API's limit. */
export function cents(min = 0) {
  return z.int().min(min).max(99_999_999_999).meta({ description: 'Cents of BRL.' })
}

/** The end of the year 9999, the last that every language's dates hold. */
export const MAX_EPOCH_MS = 253_402_300_799_999

export function epochMs() {
  return z.int().min(0).max(MAX_EPOCH_MS).meta({ description: 'Epoch milliseconds.' })
}

type Name<Values> = Exclude<keyof Values & string, 'UNSPECIFIED'>

/** A proto enum as the API shows it: `PENDING` for CHARGE_STATUS_PENDING, and back. UNSPECIFIED has no name. */
export function enumNames<Values extends Record<string, string>>(values: Values) {
  const names = Object.keys(values).filter((name): name is Name<Values> => name !== 'UNSPECIFIED')
  const byValue = new Map<string, Name<Values>>(names.map((name) => [values[name] ?? '', name]))
  return {
    schema: z.enum(names as [Name<Values>, ...Name<Values>[]]),
    nameOf: (value: Values[keyof Values]): Name<Values> => {
      const name = byValue.get(value)
      if (!name) throw new Error('an enum value without a name')
      return name
    },
    valueOf: (name: Name<Values>): Values[Name<Values>] => values[name],
  }
}
