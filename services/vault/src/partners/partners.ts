import { readFileSync } from 'node:fs'
import { openPartner, type Partner } from '@cofre/platform/outbound/partner-call'
import { z } from 'zod'

/** The fields that a caller may have filled in. */
export const PLACEHOLDERS = [
  'cardNumber',
  'holderName',
  'expiration:MM/YYYY',
  'expiration:YYYYMM',
  'cvv',
  'tokenNumber',
  'tokenExpiration:MM/YYYY',
  'cryptogram',
  'authorizationCode',
  'refreshToken',
] as const
export type Placeholder = (typeof PLACEHOLDERS)[number]

/** True for a part of an identity provider's grant, false for a part of a card. */
export function isOfGrant(placeholder: Placeholder): boolean {
  return placeholder === 'authorizationCode' || placeholder === 'refreshToken'
}

const pointer = z.string().regex(/^(\/[^/]+)+$/, 'must be a JSON pointer')
const ROUTE = /^(GET|POST|PUT) (\/([A-Za-z0-9._~-]+|\{id\}))+(\?[A-Za-z]+(_[A-Za-z]+)?=\{id\})?$/
const headerName = z.string().regex(/^[a-z0-9-]+$/, 'must be a header name in lower case')
const credentialName = z.string().regex(/^[A-Za-z]{1,40}$/)
const partnerName = z.string().regex(/^[a-z0-9-]+$/)
const partnerSetting = z.strictObject({
  /** Scheme, host, port, and perhaps a path, which precedes that of each route. */
  url: z.url({ protocol: /^https$/ }),
  /** Our services that may call it, by certificate name. */
  callers: z.array(z.string().regex(/^[a-z0-9-]+$/)).min(1),
  /** PEM file of the authority to trust in place of the system's. */
  caFile: z.string().optional(),
  /** The exact calls: `POST /1/sales`; `{id}` stands for one id of letters, digits, dashes, dots, underscores. */
  routes: z
    .array(
      z.string().regex(ROUTE, 'must be a method and a path: "POST /1/sales", "GET /tokens?reference={id}"'),
    )
    .min(1),
  /** For each field, the places of the body where it may stand. */
  fields: z.partialRecord(z.enum(PLACEHOLDERS), z.array(pointer)),
  /** Header → credential of the seller's account: `{"merchantkey": "merchantKey"}`. Without any, no account is used. */
  credentials: z.record(headerName, credentialName).default({}),
  /** Place of the body → credential: `{"/client_secret": "clientSecret"}`. */
  bodyCredentials: z.record(pointer, credentialName).default({}),
  /** Whether the access token kept with the voucher token goes out, as `authorization: Bearer`. */
  bearer: z.boolean().default(false),
  /** How a body goes out. A form has no place for a list or an object. */
  encoding: z.enum(['json', 'form']).default('json'),
  /** The partner whose accounts its calls use, when that is another one: a company may have several addresses. */
  accountsOf: partnerName.optional(),
  /** The caller's headers that go out. */
  headers: z.array(headerName).default(['requestid']),
  /** The answer's headers that come back. */
  answerHeaders: z.array(headerName).default(['content-type', 'requestid', 'retry-after']),
  /** Places of the answer with the partner's own numbers, which may look like a card's. `*` is any array index. */
  identifiers: z.array(pointer).default([]),
  /** Places of the answer whose numbers stay here, with the network token that the call is about. */
  captures: z
    .strictObject({
      tokenNumber: pointer,
      tokenExpirationMonth: pointer,
      tokenExpirationYear: pointer,
      cryptogram: pointer,
    })
    .optional(),
  /** Places of the answer whose tokens stay here, with the voucher token that the call is about. */
  grants: z.strictObject({ accessToken: pointer, refreshToken: pointer }).optional(),
})

export type PartnerSetting = z.output<typeof partnerSetting>

/** PARTNERS_FILE: a JSON object, partner name to setting. */
export const partnersSetting = z
  .string()
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text)
    } catch {
      context.addIssue({ code: 'custom', message: 'is not JSON' })
      return z.NEVER
    }
  })
  .pipe(z.record(partnerName, partnerSetting))

/** True when the settings allow the call. */
export function allowsRoute({ routes }: PartnerSetting, method: string, path: string): boolean {
  const asked = `${method} ${path}`
  return routes.some((route) => route === asked || patternOf(route).test(asked))
}

/** The form of a partner's ids. Dots alone would lead to another path. */
const ID = '(?!\\.+(?![\\w.-]))[\\w.-]{1,100}'

function patternOf(route: string): RegExp {
  const parts = route.split('{id}').map((part) => part.replaceAll(/[.?]/g, '\\$&'))
  return new RegExp(`^${parts.join(ID)}$`)
}

export type OpenPartner = { setting: PartnerSetting; connection: Partner }
/** The open partners, by name. */
export type Partners = ReadonlyMap<string, OpenPartner>

export function openPartners(settings: Record<string, PartnerSetting>): Partners {
  return new Map(
    Object.entries(settings).map(([name, setting]) => {
      const ca = setting.caFile === undefined ? {} : { ca: readFileSync(setting.caFile, 'utf8') }
      return [
        name,
        { setting, connection: openPartner(setting.url, { ...ca, tokensExpire: setting.bearer }) },
      ]
    }),
  )
}

export async function closePartners(partners: Partners): Promise<void> {
  await Promise.all([...partners.values()].map(({ connection }) => connection.close()))
}
