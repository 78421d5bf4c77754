import { NetworkTokenStatus } from '@cofre/proto/networktoken/v1/networktoken'
import { openBrowser, readable, type Browser } from '../browser'
import { PASSWORD, startPortal, type PortalSystem } from '../portal-system'

const TOKEN = 'f3a1'.repeat(16)
const PAGE = `/portal/network-tokens/${TOKEN}`

let system: PortalSystem
let browser: Browser
let sellerId: number
beforeAll(async () => {
  system = await startPortal()
})
beforeEach(async () => {
  const seller = await system.makeSeller()
  sellerId = seller.sellerId
  browser = openBrowser(system.url)
  await browser.signIn(seller.email, PASSWORD)
  keep(NetworkTokenStatus.ACTIVE)
})
afterAll(() => system.stop())

function keep(status: NetworkTokenStatus, reason = ''): void {
  const card = {
    bin: '411111',
    lastFour: '1111',
    brand: 'VISA',
    expirationYear: 2049,
    expirationMonth: 2,
    holderName: 'ANA SOUZA',
  }
  const times = { createdAt: 1_767_225_600_000, updatedAt: 1_767_225_600_000 }
  const about = { merchantId: 'm', number: '', cardToken: '', cardIsCurrent: true, cryptograms: [] }
  system.behind.networkTokens.tokens.set(TOKEN, {
    token: TOKEN,
    sellerId,
    status,
    reason,
    card,
    ...times,
    ...about,
  })
}

test('the list leads to the page of a token, and both show its card', async () => {
  const { text } = await browser.get('/portal/network-tokens')
  expect(text).toContain(`href="${PAGE}"`)
  expect(readable(text)).toContain('Visa •••• 1111')
  const page = readable((await browser.get(PAGE)).text)
  expect(page).toContain('Network token of Visa •••• 1111')
  expect(page).toContain('02/2049')
  expect(page).toContain(TOKEN)
})

test('one that failed says why, and what to do', async () => {
  keep(NetworkTokenStatus.FAILED, 'CARD_EXPIRED')
  const page = readable((await browser.get(PAGE)).text)
  expect(page).toContain('The card network made no token.')
  expect(page).toContain('The card has expired. Ask for a new one.')
  expect(page).not.toContain('Deactivate')
})

test('an active one is deactivated once it was confirmed', async () => {
  const done = await browser.submit(`${PAGE}/deactivate`, {})
  expect([done.status, done.location]).toEqual([303, PAGE])
  const page = readable((await browser.get(PAGE)).text)
  expect(page).toContain('The token was deactivated.')
  expect(page).toContain('Inactive')
})

test('the search finds it by the last four digits, and another seller’s is not found', async () => {
  expect((await browser.get('/portal/search?q=1111')).text).toContain(`href="${PAGE}"`)
  sellerId += 1_000
  keep(NetworkTokenStatus.ACTIVE)
  expect((await browser.get(PAGE)).status).toBe(404)
  expect((await browser.get('/portal/search?q=1111')).text).not.toContain(PAGE)
})
