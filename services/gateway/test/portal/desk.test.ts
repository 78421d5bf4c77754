import { routes } from '../../src/api/all-routes'
import { requestEntry } from '../../src/history/request-entry'
import { ChargeAction, ChargeStatus, TransactionType } from '@cofre/proto/orders/v1/orders'
import { hiddenFields, openBrowser, readable, type Browser } from './browser'
import { captured } from './charge-samples'
import { PASSWORD, startPortal, type PortalSystem } from './portal-system'

let system: PortalSystem
let browser: Browser
let sellerId: number
let email: string
beforeAll(async () => {
  system = await startPortal()
  const seller = await system.makeSeller()
  ;({ sellerId, email } = seller)
  browser = openBrowser(system.url)
  await browser.signIn(email, PASSWORD)
})
afterAll(() => system.stop())
beforeEach(() => {
  system.behind.down = false
  system.behind.charges = [captured({ id: 981, sellerId, allowedActions: [ChargeAction.REFUND] })]
})

const REFUND = '/portal/charges/981/refund'
/** What the acquirer is being asked to give back, once for each request. */
const refunded = () =>
  (system.behind.charges[0]?.transactions ?? [])
    .filter(({ type }) => type === TransactionType.REFUND)
    .reduce((sum, { amount }) => sum + amount, 0)

function words(text: string): string {
  return readable(text).replaceAll('\u00a0', ' ')
}

test('a refund names the sum that is left, and gives back what was typed', async () => {
  expect((await browser.get('/portal/charges/981')).text).toContain(`href="${REFUND}"`)
  expect(words((await browser.get(REFUND)).text)).toContain(
    'Of R$ 1.234,56, R$ 1.234,56 can still be refunded.',
  )
  const answer = await browser.submit(REFUND, { amount: '617,28', reason: 'Half came broken.' })
  expect([answer.status, answer.location]).toEqual([303, '/portal/charges/981'])
  expect(refunded()).toBe(61_728)
  expect(words((await browser.get('/portal/charges/981')).text)).toContain(
    'The refund was sent to the acquirer.',
  )
  const audit = words((await browser.get('/portal/settings/audit')).text)
  expect(audit).toContain(`${email} refunded R$ 617,28 of charge 981 Reason: “Half came broken.”`)
})

test('a form that is sent twice refunds once', async () => {
  const fields = { ...hiddenFields((await browser.get(REFUND)).text), amount: '10,00' }
  const answers = await Promise.all([browser.post(REFUND, fields), browser.post(REFUND, fields)])
  expect(answers.some(({ status }) => status === 303)).toBe(true)
  expect((await browser.post(REFUND, fields)).status).toBe(303)
  expect(refunded()).toBe(1_000)
})

test.each(['', 'ten', '10,001', '-5', '0', '9999999999', '1.23.4'])(
  'the amount “%s” is refused beside its field, and stays as typed',
  async (amount) => {
    const { status, text } = await browser.submit(REFUND, { amount })
    expect(status).toBe(422)
    expect(text).toMatch(/aria-invalid="true"/)
    expect(refunded()).toBe(0)
  },
)

test('a card number in a reason is refused, and not shown again as accepted', async () => {
  const { status, text } = await browser.submit(REFUND, {
    amount: '1,00',
    reason: 'card 4111 1111 1111 1111',
  })
  expect([status, words(text)]).toEqual([422, expect.stringContaining('Leave card numbers out.')])
  expect(refunded()).toBe(0)
  expect(system.logged()).not.toContain('4111 1111')
})

test('while the outcome is unknown the form keeps its key: sent again, it is done once', async () => {
  const first = (await browser.get(REFUND)).text
  const fields = { ...hiddenFields(first), amount: '5,00' }
  system.behind.downFor = 'refundCharge'
  const lost = await browser.post(REFUND, fields)
  expect([lost.status, words(lost.text)]).toEqual([503, expect.stringContaining('Send the form again')])
  system.behind.downFor = undefined
  const again: Record<string, string> = { ...fields, ...hiddenFields(lost.text) }
  expect(again.once).toBe(hiddenFields(first).once)
  expect((await browser.post(REFUND, again)).status).toBe(303)
  expect(refunded()).toBe(500)
})

test('what the state does not allow has no button, and its page leads back', async () => {
  system.behind.charges = [captured({ id: 981, sellerId, status: ChargeStatus.REFUNDED, allowedActions: [] })]
  expect((await browser.get('/portal/charges/981')).text).not.toContain(REFUND)
  await expect(browser.get(REFUND)).resolves.toMatchObject({ status: 303, location: '/portal/charges/981' })
})

test('another seller’s charge is not found, for its form too', async () => {
  system.behind.charges = [
    captured({ id: 981, sellerId: sellerId + 1, allowedActions: [ChargeAction.REFUND] }),
  ]
  expect((await browser.get(REFUND)).status).toBe(404)
  await expect(browser.submit(REFUND, { amount: '1,00' }, '/portal/settings/account')).resolves.toMatchObject(
    { status: 404 },
  )
})

test('the search finds the movements of a Pix by its id and by the txid of its charge', async () => {
  for (const q of ['E9999900820260709121500f3a91c07b', 'a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5d6']) {
    expect(words((await browser.get(`/portal/search?q=${q}`)).text)).toContain('R$ 0,40')
  }
})

test.each(['981', 'A-1', '1111', '674532', '1006993069207C5D1A3A', '123456'])(
  'the search finds a charge by %s',
  async (q) => {
    expect((await browser.get(`/portal/search?q=${q}`)).text).toContain('href="/portal/charges/981"')
  },
)

test.each([
  ['1111', ['orderReference', 'lastFour', 'nsu', 'authorizationCode']],
  ['1006993069207C5D1A3A', ['orderReference', 'orderReference', 'nsu', 'tid']],
  ['ana@example.com', ['orderReference', 'orderReference']],
  [
    'E9999900820260709121500f3a91c07b',
    ['orderReference', 'orderReference', 'orderReference', 'tid', 'endToEndId'],
  ],
])('the search asks for charges by %s as far as a name of theirs has its form', async (q, names) => {
  const { list } = system.behind.orders.asked
  const before = list.length
  await browser.get(`/portal/search?q=${encodeURIComponent(q)}`)
  const searched = ['orderReference', 'lastFour', 'nsu', 'tid', 'authorizationCode', 'endToEndId'] as const
  const asked = list.slice(before).flatMap((each) => searched.filter((name) => each[name] !== undefined))
  expect(asked.toSorted()).toEqual(names.toSorted())
})

test('the search asks once for the requests with an id', async () => {
  const find = jest.spyOn(system.deps.history, 'find')
  await browser.get('/portal/search?q=req_made')
  expect(find.mock.calls.filter(([{ subject }]) => subject === 'req_made')).toHaveLength(1)
  find.mockRestore()
})

test('the search finds what a request of the API made, and what it was about', async () => {
  const { history } = system.deps
  const found = async (requestId: string) =>
    (await browser.get(`/portal/search?q=${requestId}`)).text.includes('href="/portal/charges/981"')
  const request = { at: Date.now(), durationMs: 5, traceparent: '', address: '127.0.0.1', body: undefined }
  const of = (operation: string) => routes.find(({ operationId }) => operationId === operation)
  const entries = [
    requestEntry({
      ...request,
      requestId: 'req_made',
      method: 'POST',
      path: '/api/v2/orders/credit-card/authorize',
      status: 201,
      route: of('authorizeOrder'),
      sellerId,
      tokenId: undefined,
      answer: { id: 981, status: 'CAPTURED' },
    }),
    requestEntry({
      ...request,
      requestId: 'refused-by-shop',
      method: 'POST',
      path: '/api/v2/charges/981/refund',
      status: 422,
      route: of('refundCharge'),
      sellerId,
      tokenId: undefined,
      answer: { code: 'REFUND_EXCEEDS_CAPTURED' },
    }),
  ]
  await history.append(entries)
  expect([await found('req_made'), await found('refused-by-shop'), await found('req_none')]).toEqual([
    true,
    true,
    false,
  ])
})

test('the search says how much more it found, and leads to the whole list', async () => {
  system.behind.charges = Array.from({ length: 9 }, (_, index) => captured({ id: index + 1, sellerId }))
  const { text } = await browser.get('/portal/search?q=1111')
  expect(words(text)).toContain('Card’s last four digits: 5 of 9 · Show all')
  expect(text).toContain('href="/portal/charges?lastFour=1111"')
  const few = await browser.get('/portal/search?q=3')
  expect(words(few.text)).not.toContain('Show all')
})

test.each([
  ['a reference in other letters', 'a-1'],
  ['an amount', '1.234,56'],
  ['an amount in reais', 'R$ 1234,56'],
  ['the name of a list and an id', 'charge 981'],
])('the search finds a charge by %s', async (_name, q) => {
  const { text } = await browser.get(`/portal/search?q=${encodeURIComponent(q)}`)
  expect(text).toContain('href="/portal/charges/981"')
})

test('a word before a number names the only list to look in, in the language of the page', async () => {
  const { text } = await browser.get(`/portal/search?q=${encodeURIComponent('dispute 981')}`)
  expect(text).not.toContain('href="/portal/charges/981"')
  await browser.get('/portal?language=pt-BR')
  const found = await browser.get(`/portal/search?q=${encodeURIComponent('cobrança nº 981')}`)
  expect(found.text).toContain('href="/portal/charges/981"')
  const { asked } = system.behind.invoices
  await browser.get('/portal/search?q=fatura%2014')
  expect(asked.invoices.list.slice(-2).map(({ invoiceNumber }) => invoiceNumber)).toEqual(['14', '000014'])
  await browser.get('/portal?language=en')
})

test.each([
  ['as it is printed', '00190.00009 01234.567004 00000.004176 2 15030000012345'],
  ['as digits alone', '00190000090123456700400000004176215030000012345'],
  ['as its bar code is read', '00192150300000123450000001234567000000000417'],
])('the search finds what belongs to a boleto by its line %s', async (_form, q) => {
  const { text } = await browser.get(`/portal/search?q=${encodeURIComponent(q)}`)
  expect(text).toContain('href="/portal/receipts/12"')
  const asked = system.behind.invoices.asked.invoices.list.filter(({ ourNumber }) => ourNumber !== undefined)
  expect(asked.at(-1)).toMatchObject({ ourNumber: '12345670000000004' })
})

test('the search says when it finds nothing', async () => {
  expect(words((await browser.get('/portal/search?q=nobody')).text)).toContain('Nothing was found.')
  expect((await browser.get('/portal/search?q=')).status).toBe(200)
})
