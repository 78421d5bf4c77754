import { z } from 'zod'
import { isRoute } from './routes'

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
const headerName = z.string().regex(/^[a-z0-9-]+$/, 'must be a header name in lower case')
/** A PEM text fits in no header. */
const credentialName = z.string().regex(/^(?!certificate$|privateKey$)[A-Za-z]{1,40}$/)
const partnerName = z.string().regex(/^[a-z0-9-]+$/)
const partnerSetting = z.strictObject({
  /** Scheme, host, port, and perhaps a path, which precedes that of each route. */
  url: z.url({ protocol: /^https$/ }),
  /** Our services that may call it, by certificate name. */
  callers: z.array(z.string().regex(/^[a-z0-9-]+$/)).min(1),
  /** PEM file of the authority to trust in place of the system's. */
  caFile: z.string().optional(),
  /**
   * The exact calls: `POST /1/sales`; `{id}`, `{key}` and `{time}` stand for one value each (routes.ts). Of an
   * identity provider also `POST {token_endpoint}`: the vault finds the path in the provider's document.
   */
  routes: z
    .array(
      z
        .string()
        .refine(isRoute, 'must be a method and a path: "POST /1/sales", "GET /tokens?reference={id}"'),
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
  /**
   * Where access tokens of the account's `clientId` and `clientSecret` are had (RFC 6749, section 4.4): an address, or a
   * path at the host of `url`. `clientAuthentication`: both go in the form, or as HTTP Basic.
   */
  oauth: z
    .strictObject({
      url: z.string().regex(/^(https:\/\/[^\s/]+)?\/[^\s]*$/, 'must be an https address or a path'),
      scope: z.string().min(1).optional(),
      clientAuthentication: z.enum(['body', 'basic']),
    })
    .optional(),
  /** Whether calls are made with the account's `certificate` and `privateKey` as TLS client certificate. */
  clientCertificate: z.boolean().default(false),
  /**
   * The calls that carry a file. `multipart`: a part named `field`, beside one for each other field (RFC 7578).
   * `base64`: JSON, in which `field` is an array with one text.
   */
  files: z
    .strictObject({
      routes: z
        .array(
          z
            .string()
            .regex(/^(POST|PUT) /)
            .refine(isRoute),
        )
        .min(1),
      field: z.string().regex(/^[A-Za-z]{1,40}$/),
      encoding: z.enum(['multipart', 'base64']),
      maxBytes: z
        .int()
        .min(1)
        .default(8 * 1024 * 1024),
    })
    .optional(),
  /** The longest answer that is read. */
  maxAnswerBytes: z
    .int()
    .min(1)
    .default(1024 * 1024),
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
  /** Places of the answer with a number, and its expiry (MM/YYYY), that replace those of the stored card of the call. */
  renewal: z.strictObject({ cardNumber: pointer, expiration: pointer }).optional(),
  /** Places of the answer whose tokens stay here, with the voucher token that the call is about. */
  grants: z.strictObject({ accessToken: pointer, refreshToken: pointer }).optional(),
})

export type PartnerSetting = z.output<typeof partnerSetting>
export type OAuthSetting = NonNullable<PartnerSetting['oauth']>
export type FilesSetting = NonNullable<PartnerSetting['files']>

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
