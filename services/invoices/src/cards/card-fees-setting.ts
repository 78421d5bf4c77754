import { z } from 'zod'
import type { CardFees } from '../catalog/settings/card-fees'

const INSTALLMENTS = /^([1-9]|1[0-2])$/

const fee = z.strictObject({
  percentageBps: z.int().min(0).max(5_000).default(0),
  fixedInCents: z.int().min(0).max(100_000).default(0),
})

const setting = z.record(z.string(), fee).superRefine((fees, context) => {
  for (const count of Object.keys(fees)) {
    if (INSTALLMENTS.test(count)) continue
    context.addIssue({
      code: 'custom',
      message: 'must be a number of installments from 1 to 12',
      path: [count],
    })
  }
})

/** CARD_FEES: JSON, number of installments → the fee from that number on. Without the setting, no fee is passed on. */
export const cardFeesSetting = z
  .string()
  .default('{}')
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text)
    } catch {
      context.addIssue({ code: 'custom', message: 'is not JSON' })
      return z.NEVER
    }
  })
  .pipe(setting)
  .transform((fees): CardFees => new Map(Object.entries(fees).map(([count, of]) => [Number(count), of])))
