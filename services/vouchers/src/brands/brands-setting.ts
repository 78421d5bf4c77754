import { z } from 'zod'
import type { Brand, Brands } from './brand'
import ours from './voucher-brands.json'

const announced = z.strictObject({
  flow: z.literal('CARD_NUMBER'),
  cardTypes: z.array(z.enum(['MEAL', 'FOOD'])).min(1),
  /** YYYY-MM-DD: the brand is shown, and can't be used yet. */
  availableFrom: z.iso.date(),
})

const usable = z.strictObject({
  flow: z.literal('CARD_NUMBER'),
  /** How its issuer speaks. */
  dialect: z.enum(['alelo', 'vr']),
  /** The partner of the vault's settings that calls go to. */
  partner: z.string().regex(/^[a-z0-9-]+$/),
  cardTypes: z.array(z.enum(['MEAL', 'FOOD'])).min(1),
  /** First digits of its numbers, 1 to 6. */
  prefixes: z.array(z.string().regex(/^\d{1,6}$/, 'must be 1 to 6 digits')).min(1),
  /** How many digits its numbers have. */
  lengths: z.array(z.int().min(12).max(19)).min(1),
})

/** Read as one of the two, and not as a union of both: so a fault is told where it is. */
const announcedOrUsable = z.unknown().transform((given, context) => {
  const isAnnounced = typeof given === 'object' && given !== null && 'availableFrom' in given
  const read = (isAnnounced ? announced : usable).safeParse(given)
  if (read.success) return read.data
  for (const { message, path } of read.error.issues) context.addIssue({ code: 'custom', message, path })
  return z.NEVER
})

const NAME = /^[A-Z][A-Z0-9_]{1,29}$/

const setting = z.record(z.string(), announcedOrUsable).superRefine((brands, context) => {
  for (const name of Object.keys(brands)) {
    if (NAME.test(name)) continue
    context.addIssue({ code: 'custom', message: 'must be a brand in upper case', path: [name] })
  }
})

/** VOUCHER_BRANDS: JSON, brand → what is known of it. Without the setting: the brands that come with the service. */
export const brandsSetting = z
  .string()
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text)
    } catch {
      context.addIssue({ code: 'custom', message: 'is not JSON' })
      return z.NEVER
    }
  })
  .default(ours)
  .pipe(setting)
  .transform((brands): Brands => {
    return new Map(Object.entries(brands).map(([name, brand]): [string, Brand] => [name, { name, ...brand }]))
  })
