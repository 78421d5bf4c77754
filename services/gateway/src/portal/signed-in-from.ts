import { addressKey } from '@cofre/platform/outbound/address-key'
import type { Request } from 'express'
import type { SignedInFrom } from './session-store'

/** The names that browsers give themselves. Each but the last also gives those after it. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg/, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bChrom(?:e|ium)\/|\bCriOS\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/Windows/, 'Windows'],
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Mac OS X/, 'macOS'],
  [/Linux|X11/, 'Linux'],
]

/** Says where a request comes from, as its user recognises it: `Firefox, Linux`. */
export function signedInFrom(req: Request): SignedInFrom {
  const agent = req.get('user-agent') ?? ''
  const found = [BROWSERS, SYSTEMS].map((names) => names.find(([pattern]) => pattern.test(agent))?.[1])
  return { address: addressKey(req.ip), browser: found.filter((each) => each !== undefined).join(', ') }
}
