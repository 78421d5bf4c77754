import { z } from 'zod'

/** Whole cents of Brazilian reais, up to the API's limit. */
export function cents(min = 0) {
  return z.int().min(min).max(99_999_999_999).meta({ description: 'Cents of BRL.' })
}

/** The end of the year 9999, the last year that every language's dates hold. */
export const MAX_EPOCH_MS = 253_402_300_799_999

export function epochMs() {
  return z.int().min(0).max(MAX_EPOCH_MS).meta({ description: 'Epoch milliseconds.' })
}

type Name<Values, Unnamed> = Exclude<keyof Values & string, 'UNSPECIFIED' | Unnamed>

/**
 * A proto enum as the API shows it: `PENDING` for CHARGE_STATUS_PENDING, and back. UNSPECIFIED has no name, and neither
 * have the `unnamed` values, which a resource can't have. `id`: the name of the enum in the document.
 */
export function enumNames<
  Values extends Record<string, string>,
  const Unnamed extends keyof Values & string = never,
>(id: string, values: Values, ...unnamed: Unnamed[]) {
  type Shown = Name<Values, Unnamed>
  const hidden: readonly string[] = ['UNSPECIFIED', ...unnamed]
  const names = Object.keys(values).filter((name): name is Shown => !hidden.includes(name))
  const byValue = new Map<string, Shown>(names.map((name) => [values[name] ?? '', name]))
  return {
    schema: z.enum(names as [Shown, ...Shown[]]).meta({ id }),
    nameOf: (value: Values[keyof Values]): Shown => {
      const name = byValue.get(value)
      if (!name) throw new Error('an enum value without a name')
      return name
    },
    valueOf: (name: Shown): Values[Shown] => values[name],
  }
}
