import type { PartnerAnswer, PartnerCall } from '@cofre/platform/outbound/partner-call'
import { z } from 'zod'
import type { Credentials } from '../accounts/account'
import { parseJson } from '../body/json'
import { isGrantText } from '../grants/grant'
import type { OAuthSetting } from '../partners/partners'

/** Where the answer does not say how long its token lives. */
const USUAL_LIFE_SECONDS = 60
/** A token is not used in the last part of its life: a call that carries it takes a moment to arrive. */
const UNUSED_PART = 0.1
const UNUSED_MOST_MS = 60_000

const tokenAnswer = z.object({
  access_token: z.string().refine(isGrantText),
  token_type: z
    .string()
    .regex(/^bearer$/i)
    .optional(),
  // Some servers write the number as a text.
  expires_in: z.coerce.number().positive().max(86_400_000).default(USUAL_LIFE_SECONDS),
})

/** How an account asks for a token with its client credentials (RFC 6749, sections 2.3.1 and 4.4). */
export function tokenRequest(
  { clientAuthentication, scope }: OAuthSetting,
  { clientId = '', clientSecret = '' }: Credentials,
): Pick<PartnerCall, 'headers' | 'body'> {
  const inBody = clientAuthentication === 'body'
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    ...(scope === undefined ? {} : { scope }),
    ...(inBody ? { client_id: clientId, client_secret: clientSecret } : {}),
  })
  const basic = Buffer.from(`${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`)
  return {
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
      ...(inBody ? {} : { authorization: `Basic ${basic.toString('base64')}` }),
    },
    body: form.toString(),
  }
}

/** Reads a token and for how long calls may use it; undefined when the answer holds none. */
export function readToken({ status, body }: PartnerAnswer): { text: string; usableMs: number } | undefined {
  const read = tokenAnswer.safeParse(status === 200 ? parseJson(body) : undefined)
  if (!read.success) return undefined
  const lifeMs = read.data.expires_in * 1_000
  const usableMs = lifeMs - Math.min(lifeMs * UNUSED_PART, UNUSED_MOST_MS)
  return { text: read.data.access_token, usableMs }
}
