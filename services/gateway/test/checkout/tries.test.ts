import { DomainError } from '@cofre/platform/errors'
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
/** A page of an invoice, opened from an address of its own. */
function open(address = `192.0.2.${++addresses}`): Page {
  const publicId = system.pages.add({ sellerId: system.sellerId })
  return {
    browser: openBrowser(system.url),
    path: `/checkout/${publicId}`,
    headers: { 'x-forwarded-for': address },
  }
}
type Page = { browser: Browser; path: string; headers: Record<string, string> }

async function issue({ browser, path, headers }: Page) {
  const { text } = await browser.get(path)
  return browser.post(`${path}/boleto`, hiddenFields(text), headers)
}

const comeBack = async ({ browser, path, headers }: Page, challengeId: string) =>
  browser.post(`${path}/three-d-secure/${challengeId}`, {}, headers)

async function pay({ browser, path, headers }: Page): Promise<number> {
  system.pages.next.outcome = new DomainError('conflict', 'PAYMENT_PENDING', 'Wait.')
  const { text } = await browser.get(path)
  const sent = { ...hiddenOfCard(text), encryptedCard: sealedCard(system), installments: '1' }
  return (await browser.post(`${path}/pay`, sent, headers)).status
}

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

test('boletos that are issued, and those for which the bank is away, are not counted', async () => {
  const page = open()
  system.pages.next.refusal = new DomainError('unavailable', 'SERVICE_UNAVAILABLE', 'Away.')
  for (let nth = 0; nth <= OF_INVOICE; nth++) expect((await issue(page)).status).toBe(503)
  system.pages.next.refusal = undefined
  for (let nth = 0; nth <= OF_INVOICE; nth++) expect((await issue(page)).status).toBe(303)
})

test('payers whom the issuer rejected are counted as declined cards are, each challenge once', async () => {
  const page = open()
  system.pages.next.challenge = ChallengeStatus.REFUSED
  // Who reloads makes no new try.
  for (let nth = 0; nth < 2 * OF_INVOICE; nth++)
    expect((await comeBack(page, challengeOf(1))).status).toBe(303)
  expect(await pay(page)).toBe(303)
  for (let nth = 2; nth <= OF_INVOICE; nth++) await comeBack(page, challengeOf(nth))
  expect(await pay(page)).toBe(429)
  expect(await pay(open())).toBe(303)
})

test.each([
  [ChallengeRefusal.UNSPECIFIED, 'Seu banco não confirmou o pagamento'],
  [ChallengeRefusal.AMOUNT_CHANGED, 'O valor mudou'],
  [ChallengeRefusal.NOT_PAID, 'Não foi possível continuar agora'],
])('a payer who comes back and is charged nothing reads why: %s, %s', async (refusal, said) => {
  const page = open()
  Object.assign(system.pages.next, { challenge: ChallengeStatus.REFUSED, challengeRefusal: refusal })
  const { location } = await comeBack(page, challengeOf(20))
  expect(readable((await page.browser.get(location ?? '')).text)).toContain(said)
})

test('payers who are authenticated and not charged are not counted', async () => {
  const page = open()
  system.pages.next.challenge = ChallengeStatus.REFUSED
  for (const refusal of [ChallengeRefusal.AMOUNT_CHANGED, ChallengeRefusal.NOT_PAID]) {
    system.pages.next.challengeRefusal = refusal
    for (let nth = 30; nth <= 30 + OF_INVOICE; nth++) await comeBack(page, challengeOf(nth))
  }
  expect(await pay(page)).toBe(303)
})

test('those who were authenticated, or gave up, are not counted', async () => {
  const page = open()
  for (const status of [ChallengeStatus.CHARGED, ChallengeStatus.EXPIRED, ChallengeStatus.PENDING]) {
    system.pages.next.challenge = status
    for (let nth = 10; nth <= 10 + OF_INVOICE; nth++) await comeBack(page, challengeOf(nth))
  }
  expect(await pay(page)).toBe(303)
})
