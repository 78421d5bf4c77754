import { z } from 'zod'

/** The result of an authentication, in the values of the card brands. Some servers omit the leading zero. */
export function eci() {
  return z.string().regex(/^0?[0-7]$/, 'must be the ECI of a card brand, 00 to 07')
}

/** Version 1 is switched off at the card brands. */
export function threeDSecureVersion() {
  return z.string().regex(/^2\.\d{1,2}\.\d{1,2}$/, 'must be a version of 3-D Secure 2, such as 2.2.0')
}
