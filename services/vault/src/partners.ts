import { readFileSync } from 'node:fs'
import { openPartner, type Partner } from '@cofre/platform/partner-call'
import { z } from 'zod'

/** What a caller may have filled in. */
export const PLACEHOLDERS = ['cardNumber', 'holderName', 'expiration:MM/YYYY', 'cvv'] as const
export type Placeholder = (typeof PLACEHOLDERS)[number]

const pointer = z.string().regex(/^(\/[^/]+)+$/, 'must be a JSON pointer')
const headerName = z.string().regex(/^[a-z0-9-]+$/, 'must be a header name in lower case')
const partnerSetting = z.strictObject({
  /** Scheme, host, port; a path, when there is one, stands before that of each route. */
  url: z.url({ protocol: /^https$/ }),
  /** PEM file of the authority to trust in place of the system's. */
  caFile: z.string().optional(),
  /** Exactly which calls: `POST /1/sales`. */
  routes: z
    .array(z.string().regex(/^(POST|PUT) \/[A-Za-z0-9/._~-]+$/, 'must be "POST /path" or "PUT /path"'))
    .min(1),
  /** For each field, the places of the body where it may stand. */
  fields: z.partialRecord(z.enum(PLACEHOLDERS), z.array(pointer)),
  /** Which headers of the caller go out. */
  headers: z.array(headerName).default(['merchantid', 'merchantkey', 'requestid', 'authorization']),
  /** Which headers of the answer come back. */
  answerHeaders: z.array(headerName).default(['content-type', 'requestid', 'retry-after']),
  /** Places of the answer that hold the partner's own numbers, which may look like a card's. */
  identifiers: z.array(pointer).default([]),
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
  .pipe(z.record(z.string().regex(/^[a-z0-9-]+$/), partnerSetting))

export type OpenPartner = { setting: PartnerSetting; connection: Partner }
/** By name. */
export type Partners = ReadonlyMap<string, OpenPartner>

export function openPartners(settings: Record<string, PartnerSetting>): Partners {
  return new Map(
    Object.entries(settings).map(([name, setting]) => {
      const ca = setting.caFile === undefined ? {} : { ca: readFileSync(setting.caFile, 'utf8') }
      return [name, { setting, connection: openPartner(setting.url, ca) }]
    }),
  )
}

export async function closePartners(partners: Partners): Promise<void> {
  await Promise.all([...partners.values()].map(({ connection }) => connection.close()))
}
