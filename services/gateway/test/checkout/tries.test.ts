import { randomBytes } from 'node:crypto'
import { DomainError } from '@cofre/platform/errors'
import { PaymentMethod } from '@cofre/proto/invoices/v1/invoices'
import { ChallengeRefusal, ChallengeStatus } from '@cofre/proto/invoices/v1/three_d_secure'
import { hiddenFields, openBrowser, readable, type Browser } from '../portal/browser'
import { startCheckout, type CheckoutSystem } from './checkout-system'
import { hiddenOfCard, sealedCard } from './sealed-card'

const REFUSED = new DomainError('failed_precondition', 'BOLETO_REFUSED', 'Refused.')
const OF_INVOICE = 3

let system: CheckoutSystem
beforeAll(async () => {
  system = await startCheckout({
    CHECKOUT_TRIES_OF_INVOICE: String(OF_INVOICE),
    CHECKOUT_TRIES_OF_ADDRESS: '7',
    TRUSTED_PROXIES: '1',
  })
})
beforeEach(() => {
  Object.assign(system.pages.next, {
    refusal: undefined,
    challenge: ChallengeStatus.CHARGED,
    challengeRefusal: ChallengeRefusal.UNSPECIFIED,
    outcome: 'PAID',
  })
})
afterAll(() => system.stop())

let addresses = 0
/** Opens the page of an invoice from an address of its own. */
function open(address = `192.0.2.${++addresses}`, invoice: object = {}): Page {
  const publicId = system.pages.add({ sellerId: system.sellerId, ...invoice })
  return {
    browser: openBrowser(system.url),
    path: `/checkout/${publicId}`,
    headers: { 'x-forwarded-for': address },
  }
}
/** The same for an invoice whose payers are authenticated. */
function openAuthenticated(): Page {
  const cardSettings = { maxInstallments: 1, feePassThrough: false, threeDSecure: true }
  const method = PaymentMethod.CREDIT_CARD
  return open(undefined, { acceptedMethods: [{ method, cardSettings, boletoSettings: undefined }] })
}
type Page = { browser: Browser; path: string; headers: Record<string, string> }

async function issue({ browser, path, headers }: Page) {
  const { text } = await browser.get(path)
  return browser.post(`${path}/boleto`, hiddenFields(text), headers)
}

const comeBack = async ({ browser, path, headers }: Page, challengeId: string) =>
  browser.post(`${path}/three-d-secure/${challengeId}`, {}, headers)

async function shownForm({ browser, path }: Page): Promise<Record<string, string>> {
  const { text } = await browser.get(path)
  return { ...hiddenOfCard(text), encryptedCard: sealedCard(system), installments: '1' }
}
const send = ({ browser, path, headers }: Page, form: Record<string, string>) =>
  browser.post(`${path}/pay`, form, headers)

const challengeOf = (nth: number) => String(nth).padStart(22, 'c')

test('boletos that the bank refuses are counted for each invoice; then the bank is left alone for a while', async () => {
  const page = open()
  system.pages.next.refusal = REFUSED
  for (let nth = 0; nth < OF_INVOICE; nth++) expect((await issue(page)).status).toBe(303)
  const answer = await issue(page)
  expect([answer.status, answer.headers.has('retry-after')]).toEqual([429, true])
  expect(readable(answer.text)).toContain('Muitas tentativas')
  expect((await issue(open())).status).toBe(303)
})

test('and for each address', async () => {
  system.pages.next.refusal = REFUSED
  const address = '198.51.100.7'
  const statuses: number[] = []
  for (let nth = 0; nth < 8; nth++) statuses.push((await issue(open(address))).status)
  expect(statuses).toEqual([...Array<number>(7).fill(303), 429])
})

test('boletos that are issued, or fail because the bank is away, are not counted', async () => {
  const page = open()
  system.pages.next.refusal = new DomainError('unavailable', 'SERVICE_UNAVAILABLE', 'Away.')
  for (let nth = 0; nth <= OF_INVOICE; nth++) expect((await issue(page)).status).toBe(503)
  system.pages.next.refusal = undefined
  for (let nth = 0; nth <= OF_INVOICE; nth++) expect((await issue(page)).status).toBe(303)
})

test('boletos that the gateway refuses while it is busy are not counted', async () => {
  const page = open()
  const { inFlight, config } = system.deps
  const atBank = Math.ceil(config.httpMaxInFlight / 4)
  const leaves = Array.from({ length: atBank }, () => inFlight.enter({ callsPartner: 'bank' }))
  for (let nth = 0; nth <= OF_INVOICE; nth++) expect((await issue(page)).status).toBe(503)
  for (const leave of leaves) leave()
  expect((await issue(page)).status).toBe(303)
})

/** Sends a card to its issuer. */
async function challenge(page: Page): Promise<number> {
  return (await send(page, await shownForm(page))).status
}

test('a challenged card counts as a try, also when its payer does not return', async () => {
  const page = openAuthenticated()
  for (let nth = 0; nth < OF_INVOICE; nth++) expect(await challenge(page)).toBe(200)
  expect(await challenge(page)).toBe(429)
  expect(await challenge(openAuthenticated())).toBe(200)
})

test('a card that its issuer rejects without a challenge counts as a try', async () => {
  const page = open()
  system.pages.next.outcome = new DomainError('failed_precondition', 'AUTHENTICATION_FAILED', 'Rejected.')
  const tryCard = async () => (await send(page, await shownForm(page))).status
  for (let nth = 0; nth < OF_INVOICE; nth++) expect(await tryCard()).toBe(422)
  expect(await tryCard()).toBe(429)
})

test('a challenged card that is sent twice counts once', async () => {
  const page = openAuthenticated()
  const form = await shownForm(page)
  for (let nth = 0; nth < 2 * OF_INVOICE; nth++) expect((await send(page, form)).status).toBe(200)
  expect(await challenge(page)).toBe(200)
})

test('a payer who passes does not count as a try, and frees no further try by returning again', async () => {
  const page = openAuthenticated()
  for (let nth = 0; nth < OF_INVOICE; nth++) expect(await challenge(page)).toBe(200)
  for (let again = 0; again < OF_INVOICE; again++) await comeBack(page, challengeOf(1))
  expect(await challenge(page)).toBe(200)
  expect(await challenge(page)).toBe(429)
})

test.each<[string, object]>([
  ['is rejected', { challenge: ChallengeStatus.REFUSED }],
  ['gives up', { challenge: ChallengeStatus.EXPIRED }],
  ['is back early', { challenge: ChallengeStatus.PENDING }],
])('the try of a payer who %s still counts', async (_, next) => {
  const page = openAuthenticated()
  Object.assign(system.pages.next, next)
  for (let nth = 0; nth < OF_INVOICE; nth++) {
    expect(await challenge(page)).toBe(200)
    expect((await comeBack(page, challengeOf(nth))).status).toBe(303)
  }
  expect(await challenge(page)).toBe(429)
})

test.each([
  [ChallengeRefusal.UNSPECIFIED, 'Seu banco não confirmou o pagamento'],
  [ChallengeRefusal.AMOUNT_CHANGED, 'O valor mudou'],
  [ChallengeRefusal.NOT_PAID, 'Não foi possível continuar agora'],
])('a payer who returns without being charged reads why: %s, %s', async (refusal, said) => {
  const page = open()
  Object.assign(system.pages.next, { challenge: ChallengeStatus.REFUSED, challengeRefusal: refusal })
  const { location } = await comeBack(page, challengeOf(20))
  expect(readable((await page.browser.get(location ?? '')).text)).toContain(said)
})

test.each([ChallengeRefusal.AMOUNT_CHANGED, ChallengeRefusal.NOT_PAID])(
  'a payer who is authenticated but not charged does not count as a try: %s',
  async (refusal) => {
    const page = openAuthenticated()
    Object.assign(system.pages.next, { challenge: ChallengeStatus.REFUSED, challengeRefusal: refusal })
    for (let nth = 0; nth <= OF_INVOICE; nth++) {
      expect(await challenge(page)).toBe(200)
      await comeBack(page, randomBytes(16).toString('base64url'))
    }
  },
)
