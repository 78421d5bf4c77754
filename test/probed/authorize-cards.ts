import { eventually } from '@cofre/testing/testing'
import { Browser } from '../../sandbox/test/identity/browser'
import type { Json } from './good-bodies'
import { JSON_TYPE, type Product } from './product'
import { withDatabase } from './places'

const ANA = { email: 'ana@example.com', password: 'sandbox' }
const CARD = { cardType: 'MEAL', cardBrand: 'TICKET' }

type Heard = { cardReference?: string; status: string; token: string }
export type Told = { what: string; status: number }

/**
 * Authorizes cards by redirect, pays with them, renews and deletes them; uses codes whose exchange fails, and codes in
 * places that take none. `inbox`: the sandbox's inbox for their notifications.
 */
export async function authorizeCards(product: Product, inbox: string): Promise<Told[]> {
  const at = `/api/v2/sellers/${product.ready.sellerId}/vouchers`
  const told: Told[] = []
  const call = async (method: string, path: string, body?: Json, token?: string | null) => {
    const sending = body ? { headers: JSON_TYPE, body: JSON.stringify(body) } : {}
    const answer = await product.ask(method, path, { ...sending, ...(token === undefined ? {} : { token }) })
    told.push({ what: `${method} ${path.split('?')[0]}`, status: answer.status })
    return answer
  }
  /** Returns the URL that the holder's browser is sent back to. */
  const authorized = async (cardReference: string): Promise<URL> => {
    const notificationUrl = `${product.ready.sandboxUrl}/inbox/${inbox}`
    const { text } = await call('POST', `${at}/Ticket/tokens`, {
      cardType: CARD.cardType,
      notificationUrl,
      cardReference,
    })
    const { authUrl } = JSON.parse(text) as { authUrl: string }
    return new URL(await throughProvider(product, authUrl))
  }
  const open = ({ pathname, search }: URL) => call('GET', `${pathname}${search}`, undefined, null)
  const ended = (cardReference: string): Promise<Heard> =>
    eventually(async () => {
      const posts = (await product.sandbox('GET', `/inbox/${inbox}`)) as { body: string }[]
      const heard = posts.map(({ body }) => JSON.parse(body) as Heard)
      const found = heard.find((each) => each.cardReference === cardReference)
      if (!found) throw new Error(`nothing was heard of ${cardReference}`)
      return found
    })
  const pay = (token: string) =>
    call('POST', `${at}/payments`, {
      amount: 1_000,
      customer: { name: 'Ana Souza', document: '12345678909' },
      card: { ...CARD, token },
    })

  for (const name of ['canary-kept', 'canary-deleted']) {
    const back = await authorized(name)
    await open(back)
    await open(back)
    const { token } = await ended(name)
    await pay(token)
    await renewNext(product, token)
    await pay(token)
    if (name === 'canary-deleted') await call('DELETE', `${at}/tokens/${token}`)
  }
  for (const kind of ['HTTP_500', 'ANSWER_LOST']) {
    const back = await authorized(`canary-${kind}`)
    await nothingTakenBack(product)
    await product.sandbox('POST', '/faults', { partner: 'IDENTITY_PROVIDER', kind, times: 1 })
    await open(back)
    await ended(`canary-${kind}`)
  }
  await bringElsewhere(call, at, await authorized('canary-elsewhere'))
  return told
}

/** Signs in, picks a card and authorizes; returns the last URL. */
async function throughProvider({ ready }: Product, authUrl: string): Promise<string> {
  const call = async (method: string, url: string, { headers = {}, body }: RequestInit = {}) => {
    const answer = await fetch(url, { method, headers, redirect: 'manual', ...(body ? { body } : {}) })
    const all = { ...Object.fromEntries(answer.headers), 'set-cookie': answer.headers.getSetCookie() }
    return { status: answer.status, headers: all, body: await answer.text() }
  }
  const browser = new Browser({ url: ready.sandboxUrl, call: call as never })
  const cards = await browser.submit(await browser.open(authUrl), '/sign-in', ANA)
  const consent = await browser.submit(cards, '', { card: 'meal-4321' })
  return (await browser.submit(consent, '/authorize')).url
}

/** Lets the access token expire: the next payment renews it. */
async function renewNext({ runDir }: Product, token: string): Promise<void> {
  await withDatabase(runDir, 'vouchers', (client) =>
    client.query(
      "UPDATE voucher_tokens SET access_expires_at = now() - interval '1 minute' WHERE token = $1",
      [token],
    ),
  )
}

/** Waits until no voucher is being discarded: its revocation would meet the next fault in place of the exchange. */
function nothingTakenBack({ runDir }: Product): Promise<void> {
  return eventually(async () => {
    const { rowCount } = await withDatabase(runDir, 'vouchers', (client) =>
      client.query('SELECT 1 FROM discarded_vouchers'),
    )
    if (rowCount !== 0) throw new Error('something is still to be taken back')
  })
}

type Call = (method: string, path: string, body?: Json, token?: string | null) => Promise<unknown>

/** Sends a code with another state, brand or method, twice, as a token, in a body, in a query of the API. */
async function bringElsewhere(call: Call, at: string, { pathname, search }: URL): Promise<void> {
  const code = new URLSearchParams(search).get('code') ?? ''
  await call('GET', `${pathname}?code=${code}&state=another`, undefined, null)
  await call('GET', `${pathname}${search}&code=${code}`, undefined, null)
  await call('GET', `/partners/alelo/callback${search}`, undefined, null)
  await call('GET', `/partners/unknown/callback${search}`, undefined, null)
  await call('GET', `/partners/nothing${search}`, undefined, null)
  for (const method of ['HEAD', 'POST', 'PUT']) await call(method, `${pathname}${search}`, undefined, null)
  await call('POST', pathname, { code, state: code }, null)
  await call('GET', `/api/v2/charges?code=${code}`, undefined, code)
  await call('GET', `${at}/payments?token=${code}`)
  await call('POST', `${at}/tokens`, { ...CARD, cardNumber: code, code })
  await call('POST', `${at}/Ticket/tokens`, { cardType: code, code, notificationUrl: code })
}

/** The codes, access and refresh tokens that the identity provider gave out. */
export async function issuedSecrets(product: Product): Promise<{ kind: string; value: string }[]> {
  return product.sandbox('GET', '/identity/issued')
}
