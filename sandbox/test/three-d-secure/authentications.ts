import type { Json, Reply, TestSandbox } from '../support'

export const MERCHANT = { 'x-merchant-id': 'loja-ana', 'x-api-key': 'key-of-loja-ana' }
/** Nothing listens there: a test reads the redirect of the browser. */
export const RETURN_URL = 'http://127.0.0.1:8080/checkout/abc/three-d-secure/def'

export const CHALLENGED = '4000000000001091'

export function authenticate(
  { call, threeDSecureUrl }: TestSandbox,
  number: string,
  change: object = {},
  headers: Record<string, string> = MERCHANT,
): Promise<Reply> {
  const card = { number, expiration: '12/2049' }
  const asked = { card, amount: 10_000, currency: 'BRL', merchantName: 'Loja Ana', returnUrl: RETURN_URL }
  return call('POST', `${threeDSecureUrl}/authentications`, { headers, body: { ...asked, ...change } })
}

export async function resultOf({ call, threeDSecureUrl }: TestSandbox, id: string): Promise<Json> {
  const { body } = await call('GET', `${threeDSecureUrl}/authentications/${id}`, { headers: MERCHANT })
  return body
}

/** Sends a form of the issuer's page, as the payer does. */
export function answerChallenge({ call }: TestSandbox, challengeUrl: string, form: string): Promise<Reply> {
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
  return call('POST', challengeUrl, { headers, body: form })
}
