import { z } from 'zod'
import type { Brand, Brands } from './brand'
import ours from './voucher-brands.json'

const partner = z.string().regex(/^[a-z0-9-]+$/)
const urlPath = z.string().regex(/^(\/[\w.~-]+)+$/, 'must be a path')
const cardTypes = z.array(z.enum(['MEAL', 'FOOD'])).min(1)

const announced = z.strictObject({
  flow: z.enum(['CARD_NUMBER', 'REDIRECT']),
  cardTypes,
  /** YYYY-MM-DD: the brand is shown but can't be used yet. */
  availableFrom: z.iso.date(),
})

const byNumber = z.strictObject({
  flow: z.literal('CARD_NUMBER'),
  /** The dialect of its issuer. */
  dialect: z.enum(['alelo', 'vr']),
  /** The partner of the vault's settings that calls go to. */
  partner,
  cardTypes,
  /** First digits of its numbers, 1 to 6. */
  prefixes: z.array(z.string().regex(/^\d{1,6}$/, 'must be 1 to 6 digits')).min(1),
  /** How many digits its numbers have. */
  lengths: z.array(z.int().min(12).max(19)).min(1),
})

const byRedirect = z.strictObject({
  flow: z.literal('REDIRECT'),
  dialect: z.literal('ticket'),
  /** The partner for calls in the seller's name, at which the sellers have their accounts. */
  partner,
  /** The partner for calls in the name of a card's holder. */
  holderPartner: partner,
  cardTypes,
  identity: z
    .strictObject({
      /** The partner for the provider's token endpoint; the name of a seller's account there is its client id. */
      partner,
      /** `iss` of its ID tokens. */
      issuer: z.url({ protocol: /^https?$/ }),
      /** The address to which browsers are sent. Without it, the provider's discovery document names all endpoints. */
      authorizationEndpoint: z.url({ protocol: /^https?$/ }).optional(),
      /** Beside it: the paths of the other endpoints, each a route of the vault. `revocation` null: there is none. */
      paths: z
        .strictObject({ token: urlPath, keys: urlPath, revocation: urlPath.nullable() })
        .partial()
        .optional(),
      /** The service's scope; openid and offline_access are always requested too. */
      scope: z.string().min(1),
      acrValues: z.string().min(1),
      uiLocales: z.string().min(1).default('pt-BR'),
    })
    .refine(
      ({ authorizationEndpoint, paths }) => paths === undefined || authorizationEndpoint !== undefined,
      {
        path: ['paths'],
        message: 'need authorizationEndpoint: without it, the provider names all endpoints',
      },
    ),
})

/** Reads a brand as one of the three shapes, not as their union: a fault is then reported at its place. */
const oneOfThem = z.unknown().transform((given, context) => {
  const read = shapeOf(given).safeParse(given)
  if (read.success) return read.data
  for (const { message, path } of read.error.issues) context.addIssue({ code: 'custom', message, path })
  return z.NEVER
})

const NAME = /^[A-Z][A-Z0-9_]{1,29}$/

const setting = z.record(z.string(), oneOfThem).superRefine((brands, context) => {
  for (const name of Object.keys(brands)) {
    if (NAME.test(name)) continue
    context.addIssue({ code: 'custom', message: 'must be a brand in upper case', path: [name] })
  }
})

function shapeOf(given: unknown) {
  if (typeof given !== 'object' || given === null) return byNumber
  if ('availableFrom' in given) return announced
  return 'flow' in given && given.flow === 'REDIRECT' ? byRedirect : byNumber
}

/** VOUCHER_BRANDS: JSON, brand → its settings. By default, the brands that come with the service. */
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
