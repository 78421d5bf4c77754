import {
  boletoSettingsSchema,
  cardSettingsSchema,
  paymentMethod,
  pixSettingsSchema,
  SETTINGS_OF,
  type MethodName,
  type SettingsName,
} from '@cofre/api/methods/payment-methods'
import { z } from 'zod'
import { text, withRule } from '../fields/body-fields'

/** The settings of each method, as a request gives them. */
const settings = {
  cardSettings: cardSettingsSchema.extend({}).meta({ id: 'CardSettingsRequest' }).optional(),
  boletoSettings: boletoSettingsSchema
    .extend({
      instructions: z
        .array(text())
        .max(20)
        .refine((lines) => lines.join('').length <= 2_000, {
          params: { code: 'LENGTH', detail: 'must have at most 2000 characters in total' },
        })
        .default([]),
    })
    .meta({ id: 'BoletoSettingsRequest' })
    .optional(),
  pixSettings: pixSettingsSchema.extend({}).meta({ id: 'PixSettingsRequest' }).optional(),
} satisfies Record<SettingsName, z.ZodType>

const METHODS = Object.keys(SETTINGS_OF) as MethodName[]

const acceptedMethodSchema = METHODS.reduce(
  (schema, owner) =>
    withRule(schema, {
      code: 'OTHER_METHOD',
      detail: 'belongs to another payment method',
      path: [SETTINGS_OF[owner]],
      holds: (given) => given[SETTINGS_OF[owner]] === undefined || !isOther(given.method, owner),
    }),
  z.object({ method: paymentMethod.schema, ...settings }),
).meta({ id: 'AcceptedPaymentMethodRequest' })

/** A method that nobody knows is a fault of its own. */
function isOther(given: unknown, owner: MethodName): boolean {
  return METHODS.some((method) => method === given && method !== owner)
}

/** The methods that an invoice accepts. */
export const acceptedMethodsSchema = z
  .array(acceptedMethodSchema)
  .min(1)
  .max(METHODS.length)
  .refine((methods) => new Set(methods.map(({ method }) => method)).size === methods.length, {
    params: { code: 'DUPLICATE', detail: 'must name each method once' },
  })

/** Returns the methods of a request for the service. */
export function acceptedMethodMessages(accepted: z.output<typeof acceptedMethodsSchema> = []) {
  return accepted.map(({ method, ...given }) => ({ method: paymentMethod.valueOf(method), ...given }))
}
