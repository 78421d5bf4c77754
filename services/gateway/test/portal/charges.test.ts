import { ChargeStatus, DeclineAdvice } from '@cofre/proto/orders/v1/orders'
import { openBrowser, readable, type Browser } from './browser'
import { captured, CREATED_AT, denied } from './charge-samples'
import { PASSWORD, startPortal, type PortalSystem } from './portal-system'

let system: PortalSystem
let browser: Browser
let sellerId: number

beforeAll(async () => {
  system = await startPortal()
  const seller = await system.makeSeller()
  sellerId = seller.sellerId
  browser = openBrowser(system.url)
  await browser.signIn(seller.email, PASSWORD)
})
afterAll(() => system.stop())
beforeEach(() => {
  system.behind.down = false
  system.behind.charges = []
})

test('charges are listed newest first, with São Paulo time, reais, status and card', async () => {
  system.behind.charges = [
    captured({ id: 1, sellerId, refundedAmount: 2_500, status: ChargeStatus.PARTIALLY_REFUNDED }),
    denied({ id: 2, sellerId, orderReference: 'A-2', createdAt: CREATED_AT + 86_400_000 }),
  ]
  const text = readable((await browser.get('/portal/charges')).text).replaceAll('\u00a0', ' ')
  expect(text).toContain(
    '5 Mar 2026, 14:05 1 A-1 Visa •••• 1111 Partially refunded R$ 1.234,56 R$ 1.234,56 R$ 25,00',
  )
  expect(text.indexOf('A-2 Visa •••• 1111 Denied')).toBeGreaterThan(0)
  expect(text.indexOf('A-2')).toBeLessThan(text.indexOf('A-1'))
})

test('the list is exported with what the acquirer calls each payment, and with its filters', async () => {
  system.behind.charges = [
    captured({ id: 1, sellerId, orderReference: '=1+1' }),
    denied({ id: 2, sellerId, createdAt: CREATED_AT + 86_400_000 }),
    captured({ id: 3, sellerId: sellerId + 1 }),
  ]
  const { text } = await browser.get('/portal/charges?status=CAPTURED')
  expect(text).toContain('href="/portal/charges.csv?status=CAPTURED"')
  const file = await browser.get('/portal/charges.csv')
  expect(file.headers.get('content-disposition')).toBe('attachment; filename="charges.csv"')
  const [head, first, second, end] = file.text.split('\r\n')
  expect(head).toMatch(/^chargeId,payment,createdDate,captureDate,status,.*,captured,refunded$/)
  expect(first).toMatch(/^2,1,2026-03-06,.*DENIED/)
  expect(second).toBe(
    "1,1,2026-03-05,2026-03-05,CAPTURED,'=1+1,,CREDIT_CARD,VISA,1111,3,674532,1006993069207C5D1A3A,123456,,,,1234.56,1234.56,0.00",
  )
  expect(end).toBe('')
  const filtered = (await browser.get('/portal/charges.csv?status=DENIED')).text
  expect(filtered.split('\r\n')).toHaveLength(3)
})

test('only the seller’s own charges are listed, and another seller’s charge is not found', async () => {
  system.behind.charges = [
    captured({ id: 1, sellerId, orderReference: 'mine' }),
    captured({ id: 2, sellerId: sellerId + 1, orderReference: 'theirs' }),
  ]
  expect((await browser.get('/portal/charges')).text).not.toContain('theirs')
  await expect(browser.get('/portal/charges/1')).resolves.toMatchObject({ status: 200 })
  const other = await browser.get('/portal/charges/2')
  const none = await browser.get('/portal/charges/3')
  expect([other.status, none.status]).toEqual([404, 404])
  expect(other.text).toBe(none.text)
})

test.each(['abc', '0', '-1', '1.5', '99999999999999999999', '%00', '1%20'])(
  'charge %s is not found',
  async (id) => {
    await expect(browser.get(`/portal/charges/${id}`)).resolves.toMatchObject({ status: 404 })
  },
)

describe('the filter', () => {
  beforeEach(() => {
    system.behind.charges = [
      captured({ id: 1, sellerId, orderReference: 'A-1' }),
      denied({ id: 2, sellerId, orderReference: 'A-2' }),
    ]
  })

  test('takes a status', async () => {
    const { text } = await browser.get('/portal/charges?status=DENIED')
    expect(text).toContain('A-2')
    expect(text).not.toContain('A-1')
    expect(text).toMatch(/value="DENIED"\s+selected/)
  })

  test('takes an order reference and shows it again, as text', async () => {
    expect((await browser.get('/portal/charges?orderReference=A-1')).text).not.toContain('A-2')
    const { text } = await browser.get(`/portal/charges?orderReference=${encodeURIComponent('"><script>')}`)
    expect(text).toContain('value="&quot;&gt;&lt;script&gt;"')
    expect(text).toContain('Nothing matches this filter.')
  })

  test('takes an amount in reais and the card’s last digits, and explains what is neither', async () => {
    system.behind.charges = [
      captured({ id: 1, sellerId, orderReference: 'A-1' }),
      captured({ id: 2, sellerId, orderReference: 'A-2', amount: 5_000 }),
    ]
    const { text } = await browser.get('/portal/charges?amount=1.234,56&lastFour=1111')
    expect([text.includes('A-1'), text.includes('A-2')]).toEqual([true, false])
    expect(text).toContain('value="1.234,56"')
    for (const query of ['amount=ten', 'amount=12345678901', 'lastFour=42']) {
      const refused = await browser.get(`/portal/charges?${query}`)
      expect([refused.status, readable(refused.text)]).toEqual([
        422,
        expect.stringContaining('Enter a valid value.'),
      ])
    }
  })

  test('takes a card’s brand, and leads to a CSV of the same charges', async () => {
    const elo = captured({ id: 2, sellerId, orderReference: 'A-2' })
    for (const { card } of elo.payments) if (card) card.brand = 'ELO'
    system.behind.charges = [captured({ id: 1, sellerId, orderReference: 'A-1' }), elo]
    const { text } = await browser.get('/portal/charges?brand=ELO')
    expect([text.includes('A-1'), text.includes('A-2')]).toEqual([false, true])
    expect(text).toContain('href="/portal/charges.csv?brand=ELO"')
    const csv = await browser.get('/portal/charges.csv?brand=ELO')
    expect([csv.text.includes('A-1'), csv.text.includes('A-2')]).toEqual([false, true])
  })

  test.each([
    'status=NONE',
    'brand=NONE',
    'status=UNSPECIFIED',
    'page=-4',
    'page=x',
    'orderReference=%00',
    'x=%ff',
    '?&&=',
  ])('tolerates %s', async (query) => {
    await expect(browser.get(`/portal/charges?${query}`)).resolves.toMatchObject({ status: 200 })
  })
})

test.each(['9', '10000', '1e99'])('page %s, beyond the last, leads to the last page', async (page) => {
  await expect(browser.get(`/portal/charges?page=${page}&status=DENIED`)).resolves.toMatchObject({
    status: 303,
    location: '/portal/charges?status=DENIED',
  })
})

test('pages link to the next and the previous page, and keep the filter', async () => {
  system.behind.charges = Array.from({ length: 60 }, (_, index) =>
    captured({ id: index + 1, sellerId, orderReference: 'A-1', createdAt: CREATED_AT + index }),
  )
  const first = await browser.get('/portal/charges?orderReference=A-1')
  expect(readable(first.text)).toContain('60 in all · Page 1 of 3')
  expect(first.text).toContain('href="/portal/charges?orderReference=A-1&amp;page=2&amp;after=36" rel="next"')
  expect(first.text).not.toContain('rel="prev"')
  const last = await browser.get('/portal/charges?orderReference=A-1&page=3')
  expect(last.text.match(/data-name="Date"/g)).toHaveLength(10)
  expect(last.text).toContain('href="/portal/charges?orderReference=A-1&amp;page=2" rel="prev"')
  expect(last.text).not.toContain('rel="next"')
  await expect(browser.get('/portal/charges?page=9')).resolves.toMatchObject({
    status: 303,
    location: '/portal/charges?page=3',
  })
})

test('a charge’s own page shows payment, timeline and metadata', async () => {
  system.behind.charges = [captured({ id: 981, sellerId, metadata: { cart: '<b>77</b>', weight: 2.5 } })]
  const { text } = await browser.get('/portal/charges/981')
  const words = readable(text).replaceAll('\u00a0', ' ')
  expect(words).toContain('Installments 3 × R$ 411,52')
  expect(words).toContain('Authorization code 123456 NSU 674532 TID 1006993069207C5D1A3A')
  expect(words).toContain('Authorization R$ 1.234,56 Done, 5 Mar 2026, 14:05:09')
  expect(words).toContain('Capture R$ 1.234,56 Done, 5 Mar 2026, 14:06:09')
  expect(words).toContain('weight 2.5')
  expect(text).toContain('&lt;b&gt;77&lt;/b&gt;')
})

test('the first instalment has the cents that do not divide', async () => {
  const sample = captured({ id: 5, sellerId })
  const [payment] = sample.payments
  if (payment) Object.assign(payment, { installmentAmounts: [3_334, 3_333, 3_333], amount: 10_000 })
  system.behind.charges = [sample]
  const words = readable((await browser.get('/portal/charges/5')).text).replaceAll('\u00a0', ' ')
  expect(words).toContain('R$ 33,34 + 2 × R$ 33,33')
})

test.each([
  [DeclineAdvice.TRY_LATER, 'Ask the customer for another card, a smaller amount or Pix.'],
  [DeclineAdvice.USE_ANOTHER_CARD, 'Ask the payer for another card.'],
  [DeclineAdvice.DO_NOT_RETRY, 'Do not try this card again'],
  [DeclineAdvice.FIX_DATA, 'Ask the payer to check the card number'],
])('a decline comes with its advice: %s', async (advice, words) => {
  const sample = denied({ id: 7, sellerId })
  const decline = sample.payments[0]?.decline
  if (decline) decline.advice = advice
  system.behind.charges = [sample]
  const text = readable((await browser.get('/portal/charges/7')).text)
  expect(text).toContain('Not enough limit or balance Code 51')
  expect(text).toContain(words)
})

test('the timeline says why a payment was declined, with the acquirer’s code', async () => {
  const sample = denied({ id: 7, sellerId })
  const [authorization] = sample.transactions
  const failure = { code: 'DECLINED', message: 'See its decline.', acquirerCode: '51' }
  if (authorization) Object.assign(authorization, { failure })
  system.behind.charges = [sample]
  const words = async () => readable((await browser.get('/portal/charges/7')).text)
  expect(await words()).toContain('Not enough limit or balance (code 51)')
  failure.acquirerCode = '78'
  expect(await words()).toContain('Declined by the card’s bank (code 78)')
})

test.each([
  ['CARD_NOT_UNLOCKED', 'unlock the card in the bank’s app', false],
  ['SUSPECTED_FRAUD', 'call the card’s bank', true],
  ['STOLEN_CARD', 'The same card may work later.', true],
])(
  'of %s, the page says what to ask the customer, and what to keep silent about',
  async (code, ask, isUntold) => {
    const sample = denied({ id: 7, sellerId })
    const decline = sample.payments[0]?.decline
    if (decline) decline.code = code
    system.behind.charges = [sample]
    const text = readable((await browser.get('/portal/charges/7')).text)
    expect(text).toContain(ask)
    expect(text.includes('Do not tell the customer this reason')).toBe(isUntold)
  },
)

test('no page shows more of a card than its last four digits', async () => {
  system.behind.charges = [captured({ id: 1, sellerId }), denied({ id: 2, sellerId })]
  for (const path of ['/portal/charges', '/portal/charges/1', '/portal/charges/2']) {
    const { text } = await browser.get(path)
    expect(text).toContain('•••• 1111')
    expect(text).not.toContain('411111')
    expect(text).not.toMatch(/(?:\d[ -]?){15,19}/)
  }
})

test('while orders does not answer, the page says so, and when to ask again', async () => {
  system.behind.down = true
  const answer = await browser.get('/portal/charges')
  expect(answer.status).toBe(503)
  expect(answer.headers.get('retry-after')).toBe('3')
  expect(readable(answer.text)).toContain('This page cannot be shown right now')
})
