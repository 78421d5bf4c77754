import { withTransaction } from '@cofre/platform/postgres/postgres'
import { eventually } from '@cofre/testing/testing'
import { RedirectOutcome, VoucherCardType } from '@cofre/proto/vouchers/v1/vouchers'
import { brandsSetting } from '../../src/brands/brands-setting'
import type { Deps } from '../../src/deps'
import { openGrants } from '../../src/redirect/grants'
import type { GrantOutcome } from '../../src/redirect/identity-provider'
import { beginRedirect } from '../../src/rpc/begin-redirect'
import { deleteToken } from '../../src/rpc/delete-token'
import { finishRedirect } from '../../src/rpc/finish-redirect'
import { newSeller, startVouchers, type TestVouchers } from '../support/start-vouchers'

const IDENTITY = {
  partner: 'ticket-identity',
  issuer: 'https://sso.example.com',
  authorizationEndpoint: 'https://sso.example.com/connect/authorize',
  scope: 'meals',
  acrValues: 'tenant:br-ben',
  uiLocales: 'pt-BR',
}
const TICKET = {
  flow: 'REDIRECT',
  dialect: 'ticket',
  partner: 'ticket-merchant',
  holderPartner: 'ticket',
  cardTypes: ['MEAL'],
  identity: IDENTITY,
}
const { AUTHORIZED, BEING_CHECKED, LINK_UNUSABLE, REFUSED, UNAVAILABLE } = RedirectOutcome
const HOUR_MS = 3_600_000

let vouchers: TestVouchers
beforeAll(async () => {
  vouchers = await startVouchers()
})
afterAll(() => vouchers.stop())

/** The service with a provider that grants everything for an hour; a test may make `refresh` wait or grant less. */
function depsWith(refresh: () => Promise<GrantOutcome> = async () => granted(HOUR_MS)): Deps {
  return {
    ...vouchers.deps,
    brands: brandsSetting.parse(JSON.stringify({ TICKET })),
    identityProvider: {
      authorizationEndpoint: async () => 'https://sso.example.com/',
      authorizationUrl: async (_brand, _way, sealed) => `https://sso.example.com/?state=${sealed}`,
      exchange: async () => granted(HOUR_MS),
      refresh,
      takeBack: async () => true,
    },
    holders: {
      card: async () => ({
        result: 'card',
        card: { cardId: 'meal-1234', cardType: 'MEAL', lastFour: '1234' },
      }),
    },
  }
}

function granted(forMs: number): GrantOutcome {
  return { result: 'granted', accessExpiresAt: Date.now() + forMs }
}

type Back = { state: string; code?: string; error?: string }

async function begun(deps: Deps): Promise<{ sellerId: number; state: string }> {
  const sellerId = newSeller(vouchers)
  const notificationUrl = 'https://seller.example/hook'
  const asked = { sellerId, brandSegment: 'ticket', cardType: VoucherCardType.MEAL, notificationUrl }
  const { response } = await beginRedirect(deps, { ...asked, cardReference: '' })
  return { sellerId, state: new URL(response.authUrl).searchParams.get('state') ?? '' }
}

async function back(deps: Deps, { state, code = '', error = '' }: Back): Promise<RedirectOutcome> {
  const { outcome } = await finishRedirect(deps, { brandSegment: 'ticket', state, code, error, iss: '' })
  return outcome
}

/** An ACTIVE token whose access token has run out, or is about to. */
async function active(deps: Deps): Promise<{ sellerId: number; token: string }> {
  const { sellerId, state } = await begun(deps)
  expect(await back(deps, { state, code: `code-of-${sellerId}` })).toBe(AUTHORIZED)
  const { rows } = await vouchers.pool.query(
    `UPDATE voucher_tokens SET access_expires_at = date_trunc('milliseconds', now())
     WHERE seller_id = $1 RETURNING token`,
    [sellerId],
  )
  return { sellerId, token: rows[0].token }
}

const soon = () => Date.now() + 5_000

/** Starts requests about a token, then lets them go on together: each has read the token as it was before. */
async function atOnce<T>(sellerId: number, requests: readonly (() => Promise<T>)[]): Promise<T[]> {
  return withTransaction(vouchers.pool, async (tx) => {
    await tx.query('SELECT FROM voucher_tokens WHERE seller_id = $1 FOR UPDATE', [sellerId])
    const answers = Promise.all(requests.map((request) => request()))
    await eventually(async () => {
      // Asks in another session: a transaction keeps its first view of the other sessions.
      const { rows } = await vouchers.pool.query(
        `SELECT count(*)::int AS waiting FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      )
      expect(rows[0].waiting).toBe(requests.length)
    })
    return { answers }
  }).then(({ answers }) => answers)
}

test('a page that is opened several times at once gets the same answer each time', async () => {
  const deps = depsWith()
  const { sellerId, state } = await begun(deps)
  const open = () => back(deps, { state, code: 'same' })
  const told = await atOnce(sellerId, [open, open, open])
  expect(told.filter((one) => one !== AUTHORIZED && one !== BEING_CHECKED)).toEqual([])
  expect(await open()).toBe(AUTHORIZED)
  expect(await back(deps, { state, code: 'another' })).toBe(LINK_UNUSABLE)
})

test.each([
  ['access_denied', REFUSED, 'server_error'],
  ['server_error', UNAVAILABLE, 'access_denied'],
])(
  'the page of a redirect that ended with %s gets the same answer when it is reloaded',
  async (error, outcome, other) => {
    const deps = depsWith()
    const { sellerId, state } = await begun(deps)
    const open = () => back(deps, { state, error })
    expect(await atOnce(sellerId, [open, open, open])).toEqual(Array(3).fill(outcome))
    expect(await back(deps, { state, error })).toBe(outcome)
    expect(await back(deps, { state, error: other })).toBe(LINK_UNUSABLE)
    expect(await back(deps, { state, code: 'c' })).toBe(LINK_UNUSABLE)
  },
)

test('a token that is deleted while its access token is renewed is gone', async () => {
  const key = await active(depsWith())
  const deps = depsWith(async () => {
    await deleteToken(deps, key)
    return { result: 'refused' }
  })
  const grants = openGrants(deps.pool, deps.brands, deps.identityProvider)
  expect(await grants.use(key, soon())).toBe('gone')
})

test('a short-lived access token is renewed once for a payment', async () => {
  const key = await active(depsWith())
  let renewals = 0
  const deps = depsWith(async () => {
    renewals += 1
    return granted(1_000)
  })
  const grants = openGrants(deps.pool, deps.brands, deps.identityProvider)
  expect(await grants.use(key, soon())).toMatchObject({ status: 'ACTIVE' })
  expect(renewals).toBe(1)
})
