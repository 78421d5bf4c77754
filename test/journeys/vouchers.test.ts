import { eventually } from '@cofre/testing/testing'
import {
  authorizeCard,
  openHolderBrowser,
  refuseCard,
  type HolderBrowser,
} from '@cofre/testing/holder-browser'
import { Webhook } from 'standardwebhooks'
import { type Answer, customer, discard, startSystem, type System } from './system'

/** Not the sandbox's usual paths: the services find them in its discovery document, as those of Hydra. */
const PATHS = {
  authorization: '/oauth2/auth',
  token: '/oauth2/token',
  jwks: '/.well-known/jwks.json',
  revocation: '/oauth2/revoke',
}

let system: System
beforeAll(async () => {
  process.env['SANDBOX_IDENTITY_PATHS'] = JSON.stringify(PATHS)
  system = await startSystem()
})
afterAll(async () => {
  await discard(system)
})

const at = () => `/api/v2/sellers/${system.ready.sellerId}/vouchers`
const read = (token: string) => system.api('GET', `${at()}/tokens/${token}`)

function pay(cardBrand: string, token: string, cardType = 'MEAL', headers = {}): Promise<Answer> {
  const body = { amount: 3_500, customer, card: { cardType, cardBrand, token } }
  return system.api('POST', `${at()}/payments`, { body, headers })
}

test('a voucher is stored, pays once however often the request is repeated, and is canceled on its day', async () => {
  const card = {
    cardNumber: '6370361234567890',
    expires: { month: 12, year: 49 },
    holder: { name: 'ANA SOUZA' },
  }
  const body = { cardType: 'MEAL', cardBrand: 'VR', ...card }
  const { body: made } = await system.api('POST', `${at()}/tokens`, { body })
  expect(made).toMatchObject({ status: 'ACTIVE', lastFour: '7890' })
  const key = { 'idempotency-key': 'lunch' }
  const [first, again] = [await pay('VR', made.token, 'MEAL', key), await pay('VR', made.token, 'MEAL', key)]
  expect([first.status, first.body.status, again.body]).toEqual([201, 'PAID', first.body])
  const canceled = await system.api('POST', `${at()}/payments/${first.body.id}/cancel`)
  expect([canceled.status, canceled.body.status]).toEqual([200, 'CANCELED'])
  const book = await system.sandbox('GET', `/vouchers/payments?orderNumber=${first.body.orderNumber}`)
  expect(book).toEqual([expect.objectContaining({ amount: 3_500, status: 'CANCELED' })])
})

test.each([
  ['ALELO', '5067229000000061'],
  ['VR', '6370361234567890'],
])(
  'a payment of %s that its issuer took on an earlier day can no longer be canceled',
  async (brand, cardNumber) => {
    const card = { cardNumber, expires: { month: 12, year: 49 }, holder: { name: 'ANA SOUZA' } }
    const body = { cardType: 'MEAL', cardBrand: brand, ...card }
    const { body: made } = await system.api('POST', `${at()}/tokens`, { body })
    await cancelOfYesterday(await pay(brand, made.token))
  },
)

/** Cancels after the issuer's day, within ours: the issuer refuses, and the payment stays as it was. */
async function cancelOfYesterday({ status, body: paid }: Answer): Promise<void> {
  expect([status, paid.status]).toEqual([201, 'PAID'])
  const [atIssuer] = await system.sandbox('GET', `/vouchers/payments?orderNumber=${paid.orderNumber}`)
  await system.sandbox('POST', `/vouchers/payments/${atIssuer.paymentId}/age`, { days: 1 })
  const refused = await system.api('POST', `${at()}/payments/${paid.id}/cancel`)
  expect([refused.status, refused.body.code]).toEqual([422, 'INVALID_VOUCHER_STATE'])
  expect(refused.body).toMatchObject({ currentStatus: 'PAID', allowedActions: [] })
  const after = await system.api('GET', `${at()}/payments/${paid.id}`)
  expect(after.body).toMatchObject({ status: 'PAID', cancellationPending: false })
  const book = await system.sandbox('GET', `/vouchers/payments?orderNumber=${paid.orderNumber}`)
  expect(book).toEqual([expect.objectContaining({ status: 'APPROVED' })])
}

type Flow = { name: string; authUrl: string; browser: HolderBrowser }

/** Starts a redirect to the brand. `name`: the inbox that gets its notifications. */
async function begin(name: string, cardType = 'MEAL'): Promise<Flow> {
  const notificationUrl = `${system.ready.sandboxUrl}/inbox/${name}`
  const body = { notificationUrl, cardType, cardReference: name }
  const { status, body: answer } = await system.api('POST', `${at()}/Ticket/tokens`, { body })
  expect(status).toBe(200)
  return { name, authUrl: answer.authUrl, browser: openHolderBrowser(system.ready.sandboxUrl) }
}

function authorize({ browser, authUrl }: Flow, email: string, card?: string): Promise<string> {
  return authorizeCard(browser, authUrl, { email, ...(card === undefined ? {} : { card }) })
}

/** Opens the page on which the redirect ends: its status and its heading. */
async function back(url: string): Promise<[status: number, heading: string]> {
  const page = await fetch(url)
  return [page.status, /<h1[^>]*>([^<]*)/.exec(await page.text())?.[1] ?? '']
}

type Heard = { token: string; status: string; reason: string | null; lastFour: string | null }

/** The notifications in the inbox, once there is one. */
async function heard(name: string): Promise<Heard[]> {
  const posts = await eventually(async () => {
    const all = (await system.sandbox('GET', `/inbox/${name}`)) as { body: string }[]
    expect(all.length).toBeGreaterThan(0)
    return all
  })
  return posts.map(({ body }) => JSON.parse(body) as Heard)
}

const grants = () => system.sandbox('GET', '/identity/grants') as Promise<{ revoked: boolean }[]>

test('a holder picks the second card and authorizes at the provider’s discovered endpoints; its token pays, and the notification is signed', async () => {
  const flow = await begin('picks')
  expect(flow.authUrl.startsWith(`${system.ready.sandboxUrl}/identity/oauth2/auth?`)).toBe(true)
  const url = await authorize(flow, 'ana@example.com', 'meal-4321')
  expect(await back(url)).toEqual([200, 'Cartão autorizado'])
  expect(await back(url)).toEqual([200, 'Cartão autorizado'])
  const [told, ...more] = await heard('picks')
  expect(more).toEqual([])
  expect(told).toMatchObject({ status: 'ACTIVE', lastFour: '4321', cardReference: 'picks', reason: null })
  const [post] = await system.sandbox('GET', '/inbox/picks')
  const { body: secret } = await system.api('GET', '/api/v2/webhooks/secret')
  expect(() => new Webhook(secret.secret).verify(post.body, post.headers)).not.toThrow()

  const token = told?.token ?? ''
  const paid = await pay('TICKET', token)
  expect([paid.status, paid.body.status]).toEqual([201, 'PAID'])
  const { body: canceled } = await system.api('POST', `${at()}/payments/${paid.body.id}/cancel`)
  expect(canceled.status).toBe('CANCELED')
  await cancelOfYesterday(await pay('TICKET', token))

  expect((await system.api('DELETE', `${at()}/tokens/${token}`)).status).toBe(204)
  await eventually(async () => expect((await grants()).map(({ revoked }) => revoked)).toEqual([true]))
})

test('a grant that the holder revokes ends its token, with one notification', async () => {
  const flow = await begin('takes-back')
  await back(await authorize(flow, 'ana@example.com', 'meal-1234'))
  const [{ token } = { token: '' }] = await heard('takes-back')
  await system.sandbox('POST', '/identity/revoke', { email: 'ana@example.com' })
  const refused = await pay('TICKET', token)
  expect([refused.status, refused.body.code]).toEqual([422, 'CARD_TOKEN_UNUSABLE'])
  await pay('TICKET', token)
  await eventually(async () => expect(await heard('takes-back')).toHaveLength(2))
  expect((await read(token)).body).toMatchObject({ status: 'EXPIRED', reason: 'GRANT_REVOKED' })
})

test('a holder who refuses, or has no card of the type, gives no token', async () => {
  const { browser, authUrl } = await begin('refuses')
  expect(await back(await refuseCard(browser, authUrl))).toEqual([200, 'Autorização recusada'])
  expect(await heard('refuses')).toEqual([
    expect.objectContaining({ status: 'DENIED', reason: 'ACCESS_DENIED', lastFour: null }),
  ])
  const url = await authorize(await begin('other-type'), 'bruno@example.com')
  expect(await back(url)).toEqual([200, 'Autorização recusada'])
  expect(await heard('other-type')).toEqual([
    expect.objectContaining({ status: 'FAILED', reason: 'CARD_NOT_ELIGIBLE' }),
  ])
  await eventually(async () => expect((await grants()).filter(({ revoked }) => !revoked)).toEqual([]))
})

test('a link that was used or changed, or belongs to another flow, gives no token', async () => {
  const url = new URL(await authorize(await begin('used'), 'ana@example.com', 'meal-1234'))
  const changed = (change: Record<string, string>) => {
    const other = new URL(url)
    for (const [name, value] of Object.entries(change)) other.searchParams.set(name, value)
    return other.href
  }
  const state = url.searchParams.get('state') ?? ''
  const unusable = [400, 'Este link não pode ser usado']
  expect(await back(changed({ state: `${state.slice(0, -2)}xx` }))).toEqual(unusable)
  expect(await back(changed({ state: 'nonsense' }))).toEqual(unusable)
  expect(await back(url.href)).toEqual([200, 'Cartão autorizado'])
  expect(await back(changed({ code: 'another' }))).toEqual(unusable)
  // The code of one flow with the state of another: the provider sees by the verifier that they differ.
  const other = new URL(await authorize(await begin('mixed'), 'ana@example.com', 'meal-1234'))
  other.searchParams.set('code', url.searchParams.get('code') ?? '')
  expect(await back(other.href)).toEqual([400, 'Autorização não reconhecida'])
  expect(await back(other.href)).toEqual([400, 'Autorização não reconhecida'])
  expect(await heard('mixed')).toEqual([
    expect.objectContaining({ status: 'FAILED', reason: 'CODE_REFUSED' }),
  ])
  expect(await heard('used')).toHaveLength(1)
})

test.each(['HTTP_500', 'ANSWER_LOST'])(
  'a provider that fails (%s) ends the token, and no grant stays there',
  async (kind) => {
    const name = `fails-${kind.toLowerCase()}`
    const open = async () => (await grants()).filter(({ revoked }) => !revoked).length
    const before = await open()
    const url = await authorize(await begin(name), 'ana@example.com', 'meal-1234')
    await system.sandbox('POST', '/faults', { partner: 'IDENTITY_PROVIDER', kind, times: 1 })
    expect((await back(url))[0]).toBe(503)
    expect(await heard(name)).toEqual([
      expect.objectContaining({ status: 'FAILED', reason: 'PROVIDER_ERROR' }),
    ])
    const [{ token } = { token: '' }] = await heard(name)
    expect((await pay('TICKET', token)).status).toBe(422)
    await eventually(async () => expect(await open()).toBe(before))
  },
)
