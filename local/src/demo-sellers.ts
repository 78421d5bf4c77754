import { randomBytes, randomUUID } from 'node:crypto'
import type { CreatedToken, ListSellersResponse, Seller } from '@cofre/proto/gateway/v1/gateway'
import { DomainError } from '@cofre/platform/errors'
import type { Admin } from '@cofre/cofrectl/admin-client'
import { createEstablishment } from '@cofre/cofrectl/create-establishment'
import type { DemoSeller, SavedState } from './saved-state'
import { IDENTITY_CLIENT } from './voucher-brands'

export const PORTAL_EMAIL = 'demo@cofre.example'
const DEMO_NAME = 'Loja Demo'
const SECOND_NAME = 'Loja Vizinha'
/** The first agreement: seven digits. */
export const AGREEMENTS_FROM = 3_000_000
/** As long as the gateway's own limit: a caller must not give up before it. */
const HTTP_TIMEOUT_MS = 30_000

export type ReadySeller = { sellerId: number; token: string }
export type DemoSellers = {
  demo: ReadySeller
  second: ReadySeller
  portalPassword: string
  cardToken: string
}

type Making = {
  admin: Admin
  baseUrl: string
  /** The secret of our client at the identity provider. */
  clientSecret: string
  /** What the sellers show to partners that want a client certificate, PEM. */
  clientPair: { certificate: string; privateKey: string }
  state: SavedState
  save(state: SavedState): void
}

/**
 * Makes the sellers for a first look, and any missing part of them: the demo seller with a portal user, an
 * establishment with network tokens and a test card, and a second seller without network tokens.
 */
export async function makeDemoSellers(making: Making): Promise<DemoSellers> {
  const { state, save } = making
  // Chosen and saved before they are used: an interrupted start still knows them.
  state.portalPassword ??= randomBytes(12).toString('base64url')
  state.demo ??= newSeller()
  state.second ??= newSeller()
  save(state)
  const demo = await makeSeller(making, state.demo, { name: DEMO_NAME, networkTokens: true })
  const second = await makeSeller(making, state.second, { name: SECOND_NAME, networkTokens: false })
  await unlessThere(
    making.admin.on('gateway')('createPortalUser', {
      sellerId: demo.sellerId,
      email: PORTAL_EMAIL,
      password: state.portalPassword,
    }),
  )
  const cardToken = await makeCard(making, demo.token)
  return { demo, second, portalPassword: state.portalPassword, cardToken }
}

/** Returns credentials in the acquirer's form: a GUID and 40 characters. The sandbox accepts any. */
function newSeller(): DemoSeller {
  return { merchantId: randomUUID(), merchantKey: randomBytes(20).toString('hex').toUpperCase() }
}

/** The number under which the sandbox's acquirer files disputes of a merchant. */
function establishmentNumberOf(merchantId: string): string {
  return String(1_000_000_000 + Number.parseInt(merchantId.slice(0, 8), 16))
}

async function makeSeller(
  making: Making,
  seller: DemoSeller,
  { name, networkTokens }: { name: string; networkTokens: boolean },
): Promise<ReadySeller> {
  const { admin, state, save } = making
  if (seller.sellerId === undefined) {
    const { sellers } = await admin.on('gateway')<ListSellersResponse>('listSellers', {})
    const found = sellers.find((other) => other.name === name)
    const { id } = found ?? (await admin.on('gateway')<Seller>('createSeller', { name }))
    const { merchantId, merchantKey } = seller
    const establishmentNumber = establishmentNumberOf(merchantId)
    const establishment = { sellerId: id, merchantId, merchantKey, networkTokens, retryWithCard: false }
    await unlessThere(createEstablishment(admin, { ...establishment, establishmentNumber }))
    seller.sellerId = id
    save(state)
  }
  if (seller.voucherKey === undefined) {
    seller.voucherKey = randomBytes(20).toString('hex')
    await putVoucherAccounts(making, seller.sellerId, seller.voucherKey)
    save(state)
  }
  if (seller.bankKey === undefined) {
    seller.bankKey = randomBytes(20).toString('hex')
    await putBankAccount(making, seller.sellerId, seller.bankKey)
    save(state)
  }
  if (seller.threeDSecureKey === undefined) {
    seller.threeDSecureKey = randomBytes(20).toString('hex')
    await putThreeDSecureAccount(making, seller.sellerId, seller.threeDSecureKey)
    save(state)
  }
  if (seller.disputesSecret === undefined) {
    seller.disputesSecret = randomBytes(20).toString('hex')
    await putDisputesAccount(making, seller, seller.sellerId)
    save(state)
  }
  if (seller.pixKey === undefined) {
    seller.pixKey = randomUUID()
    await putPixAccount(making, seller.pixKey, seller.sellerId)
    save(state)
  }
  if (seller.token === undefined || !(await isAccepted(making.baseUrl, seller.token))) {
    const request = { sellerId: seller.sellerId, title: 'npm start', allScopes: true }
    const { accessToken } = await admin.on('gateway')<CreatedToken>('createToken', request)
    seller.token = accessToken
    save(state)
  }
  return { sellerId: seller.sellerId, token: seller.token }
}

/** Stores accounts at the voucher issuers. For a new code, the sandbox accepts any key. */
async function putVoucherAccounts(
  { admin, clientSecret }: Making,
  sellerId: number,
  key: string,
): Promise<void> {
  const name = `cofre-${key.slice(0, 8)}`
  const accounts = [
    { partner: 'alelo', credentials: { affiliationCode: name, apiKey: key } },
    { partner: 'vr', credentials: { estabelecimento: name, chave: key } },
    { partner: 'ticket-merchant', credentials: { merchantId: name, apiKey: key } },
    { partner: 'ticket-identity', name: IDENTITY_CLIENT, credentials: { clientSecret } },
  ]
  for (const account of accounts) {
    await admin.on('vault')('putAccount', { name, ...account, sellerId, preference: 0 })
  }
}

/** Stores an account at the bank, named by its agreement (convênio). For a new one, the sandbox accepts any key. */
async function putBankAccount({ admin }: Making, sellerId: number, chave: string): Promise<void> {
  const name = String(AGREEMENTS_FROM + sellerId)
  const account = { sellerId, partner: 'bank', name, credentials: { convenio: name, chave }, preference: 0 }
  await admin.on('vault')('putAccount', account)
}

/** Stores an account at the 3-D Secure server. For a new seller, the sandbox accepts any key. */
async function putThreeDSecureAccount({ admin }: Making, sellerId: number, key: string): Promise<void> {
  const merchantId = `cofre-${key.slice(0, 8)}`
  const account = { partner: 'three-d-secure', name: merchantId, credentials: { merchantId, apiKey: key } }
  await admin.on('vault')('putAccount', { ...account, sellerId, preference: 0 })
}

/** Stores an account at the acquirer's chargeback API, named as the establishment. */
async function putDisputesAccount(
  { admin, clientPair }: Making,
  { merchantId, disputesSecret: clientSecret = '' }: DemoSeller,
  sellerId: number,
): Promise<void> {
  const credentials = { clientId: merchantId, clientSecret, ...clientPair }
  const account = { sellerId, partner: 'acquirer-disputes', name: merchantId, credentials }
  await admin.on('vault')('putAccount', { ...account, preference: 0 })
}

/** Stores an account at the bank that speaks API Pix, named by its Pix key. For a new client, the sandbox accepts any secret. */
async function putPixAccount({ admin, clientPair }: Making, name: string, sellerId: number): Promise<void> {
  const credentials = {
    clientId: `cofre-${name.slice(0, 8)}`,
    clientSecret: randomBytes(20).toString('hex'),
    ...clientPair,
  }
  await admin.on('vault')('putAccount', { sellerId, partner: 'pix', name, credentials, preference: 0 })
}

async function unlessThere(creation: Promise<unknown>): Promise<void> {
  await creation.catch((error: unknown) => {
    if (!(error instanceof DomainError && error.kind === 'conflict')) throw error
  })
}

/** False when the token is for another base URL, was revoked in the portal, or lost its signing key. */
async function isAccepted(baseUrl: string, token: string): Promise<boolean> {
  const { status } = await send(`${baseUrl}/api/v2/charges?size=1`, token)
  return status !== 401
}

async function makeCard({ baseUrl, state, save }: Making, token: string): Promise<string> {
  const url = `${baseUrl}/api/v2/cards/tokens`
  if (state.cardToken !== undefined) {
    const { status } = await send(`${url}/${state.cardToken}`, token)
    if (status === 200) return state.cardToken
  }
  const answer = await send(url, token, {
    cardNumber: '4111111111111111',
    holder: { name: 'ANA SOUZA', document: '52998224725' },
    expiration: { year: 2049, month: 12 },
  })
  const body = (await answer.json()) as { token?: string }
  if (body.token === undefined) throw new Error(`the test card was not kept: HTTP ${answer.status}`)
  state.cardToken = body.token
  save(state)
  return body.token
}

function send(url: string, token: string, body?: unknown): Promise<Response> {
  return fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    signal: AbortSignal.timeout(HTTP_TIMEOUT_MS),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}
