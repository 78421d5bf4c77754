import { createHash, randomBytes } from 'node:crypto'
import { CLIENT, type Json, type Reply, type TestSandbox } from '../support'

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }
const SCOPE = 'openid offline_access edg-xp-mealdelivery-api'

export const VERIFIER = randomBytes(32).toString('base64url')

export type Page = { status: number; url: string; body: string }

/** A browser without scripts: it keeps cookies, follows redirects and sends forms. */
export class Browser {
  private readonly cookies: { name: string; value: string; path: string }[] = []

  constructor(private readonly sandbox: Pick<TestSandbox, 'url' | 'call'>) {}

  /** Follows redirects up to the first address that is not the sandbox's. */
  async open(url: string, method = 'GET', body?: string): Promise<Page> {
    const headers = { Cookie: this.cookieFor(url), Accept: 'text/html', ...(body === undefined ? {} : FORM) }
    const answer = await this.sandbox.call(method, url, { headers, body })
    for (const line of (answer.headers['set-cookie'] as string[] | undefined) ?? []) this.keep(line)
    const location = answer.headers['location']
    if (typeof location !== 'string') return { status: answer.status, url, body: answer.body }
    const next = new URL(location, url).href
    return next.startsWith(this.sandbox.url)
      ? this.open(next)
      : { status: answer.status, url: next, body: '' }
  }

  /** Sends the form whose action ends with `action`, with its hidden fields and `fields`. */
  submit(page: Page, action: string, fields: Record<string, string> = {}): Promise<Page> {
    const found = [...page.body.matchAll(/<form method="(\w+)" action="([^"]+)"[^>]*>(.*?)<\/form>/gs)].find(
      ([, , path = '']) => path.endsWith(action),
    )
    if (!found) throw new Error(`the page has no form to ${action}`)
    const [, method = '', path = '', inner = ''] = found
    const hidden = [...inner.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)"/g)]
    const all = { ...Object.fromEntries(hidden.map(([, name, value]) => [name, value])), ...fields }
    const text = new URLSearchParams(all as Record<string, string>).toString()
    const url = new URL(path, page.url).href
    return method === 'get' ? this.open(`${url}?${text}`) : this.open(url, 'POST', text)
  }

  private cookieFor(url: string): string {
    const { pathname } = new URL(url)
    const sent = this.cookies.filter(({ path }) => pathname.startsWith(path))
    return sent.map(({ name, value }) => `${name}=${value}`).join('; ')
  }

  private keep(line: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    const path = /path=([^;]*)/i.exec(line)?.[1] ?? '/'
    const known = this.cookies.findIndex((cookie) => cookie.name === name && cookie.path === path)
    if (known >= 0) this.cookies.splice(known, 1)
    this.cookies.push({ name, value, path })
  }
}

export function authorizeUrl(sandbox: TestSandbox, change: Record<string, string> = {}): string {
  const asked = {
    response_type: 'code',
    client_id: CLIENT.clientId,
    scope: SCOPE,
    redirect_uri: CLIENT.redirectUris[0] ?? '',
    state: 'state-1',
    nonce: 'nonce-1',
    acr_values: 'tenant:br-ben',
    ui_locales: 'en',
    code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
    code_challenge_method: 'S256',
    ...change,
  }
  return `${sandbox.url}/identity/connect/authorize?${new URLSearchParams(asked).toString()}`
}

/** Opens the sign-in page and signs in. */
export async function signedIn(sandbox: TestSandbox, email: string, change: Record<string, string> = {}) {
  const browser = new Browser(sandbox)
  const signIn = await browser.open(authorizeUrl(sandbox, change))
  return { browser, page: await browser.submit(signIn, '/sign-in', { email, password: 'sandbox' }) }
}

/** Authorizes a card as its owner. Returns the query with which the browser is sent back to the client. */
export async function authorized(
  sandbox: TestSandbox,
  card: string,
  change: Record<string, string> = {},
): Promise<URLSearchParams> {
  const email = { meal: 'ana', food: 'bruno' }[card.split('-')[0] ?? ''] ?? ''
  const person = card.startsWith('meal-555') ? 'carla' : email
  const { browser, page } = await signedIn(sandbox, `${person}@example.com`, change)
  const { url: path } = page
  const consent = card.startsWith('food') ? page : await browser.open(`${path.split('?')[0]}?card=${card}`)
  const back = await browser.submit(consent, '/authorize')
  return new URL(back.url).searchParams
}

/** Calls over https, as a service does. */
export function call(sandbox: TestSandbox, path: string, fields: Record<string, string>): Promise<Reply> {
  const body = new URLSearchParams({
    client_id: CLIENT.clientId,
    client_secret: CLIENT.clientSecret,
    ...fields,
  }).toString()
  return sandbox.call('POST', `${sandbox.voucherIssuerUrl}/identity/connect/${path}`, { body, headers: FORM })
}

export function exchange(
  sandbox: TestSandbox,
  code: string,
  change: Record<string, string> = {},
): Promise<Reply> {
  return call(sandbox, 'token', {
    grant_type: 'authorization_code',
    code,
    redirect_uri: CLIENT.redirectUris[0] ?? '',
    code_verifier: VERIFIER,
    ...change,
  })
}

export function refresh(sandbox: TestSandbox, refreshToken: string): Promise<Reply> {
  return call(sandbox, 'token', { grant_type: 'refresh_token', refresh_token: refreshToken })
}

/** Returns the tokens of a card that its cardholder authorized. */
export async function tokensOf(sandbox: TestSandbox, card: string): Promise<Json> {
  const code = (await authorized(sandbox, card)).get('code') ?? ''
  return (await exchange(sandbox, code)).body
}

export const MERCHANT_ID = { 'x-merchant-id': 'EC-1234' }

export function cardsOf(sandbox: TestSandbox, accessToken: string): Promise<Reply> {
  const headers = { authorization: `Bearer ${accessToken}`, ...MERCHANT_ID }
  return sandbox.call('GET', `${sandbox.voucherIssuerUrl}/ticket/v2/cards`, { headers })
}

export async function grantsOf(sandbox: TestSandbox): Promise<Json[]> {
  return (await sandbox.control('GET', '/identity/grants')).body
}
