import type { PartnerAnswer } from '@cofre/platform/outbound/partner-call'
import { parseJson } from '../body/json'
import { isGrantText } from '../grants/grant'
import { valueAt } from './captured'
import type { PartnerSetting } from './partners'

/** The tokens of an identity provider's answer. A new refresh token may be absent (RFC 6749, section 6). */
export type Granted = { accessToken: string; refreshToken?: string }

/** Reads the tokens at the places that the partner's settings name; undefined when there is no access token. */
export function readGranted(
  { status, body }: PartnerAnswer,
  { grants }: PartnerSetting,
): Granted | undefined {
  const answer = grants && status >= 200 && status < 300 ? parseJson(body) : undefined
  if (!grants || answer === undefined) return undefined
  const accessToken = valueAt(answer, grants.accessToken)
  const refreshToken = valueAt(answer, grants.refreshToken)
  if (!isGrantText(accessToken)) return undefined
  return { accessToken, ...(isGrantText(refreshToken) ? { refreshToken } : {}) }
}
