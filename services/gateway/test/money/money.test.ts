import { Lateness, MovementKind } from '@cofre/proto/invoices/v1/money'
import { MovementMethod } from '@cofre/proto/invoices/v1/invoices'
import { startGateway, type Gateway } from '../support/gateway'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.stop())

const asked = () => gateway.invoices.asked.money.at(-1)

test('movements are listed by period, kind and method, with their parts', async () => {
  const query = 'from=1767225600000&to=1767225600001&kind=PAYMENT&method=CREDIT_CARD'
  const { status, body } = await gateway.call('GET', `/api/v2/movements?${query}`)
  expect(status).toBe(200)
  expect(asked()?.request).toMatchObject({
    from: 1_767_225_600_000,
    to: 1_767_225_600_001,
    kind: MovementKind.PAYMENT,
    method: MovementMethod.CREDIT_CARD,
  })
  expect(body.content[0]).toMatchObject({
    kind: 'PAYMENT',
    amountInCents: 10_500,
    parts: { principalInCents: 10_000, fineInCents: 200, interestInCents: 3, feeInCents: 297 },
    source: { chargeId: 981, receiptId: null, disputeId: null },
    card: { nsu: '674532' },
  })
  expect(body.content[2]).toMatchObject({
    kind: 'WRITE_OFF',
    method: null,
    reason: 'BY_SELLER',
    note: 'Acordo.',
  })
  expect(body.content[3]).toMatchObject({
    kind: 'DISPUTE',
    source: { chargeId: 981, receiptId: null, disputeId: 5 },
  })
})

test('the movements of an invoice have a list of their own', async () => {
  const { headers } = await gateway.call('GET', '/api/v2/invoices/77/movements?size=1')
  expect(asked()?.request).toMatchObject({ invoiceId: 77, size: 1 })
  expect(headers.get('link')).toContain('/api/v2/invoices/77/movements?')
})

test('a Pix is found by its ids; who paid is null where the bank does not say', async () => {
  for (const query of [
    'endToEndId=E9999900820260709121500f3a91c07b',
    'txid=a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5d6',
  ]) {
    const { body } = await gateway.call('GET', `/api/v2/movements?${query}`)
    expect(body.content).toMatchObject([
      {
        pix: {
          endToEndId: 'E9999900820260709121500f3a91c07b',
          txid: 'a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5d6',
          payerName: null,
          payerDocument: null,
        },
      },
    ])
  }
  expect((await gateway.call('GET', '/api/v2/movements?endToEndId=E1')).status).toBe(400)
})

test.each([
  'receiptId=12&method=BOLETO',
  'ourNumber=12345670000000004',
  // The typed line, as it is printed.
  `ourNumber=${encodeURIComponent('00190.00009 01234.567004 00000.004176 2 15030000012345')}`,
  'ourNumber=00192150300000123450000001234567000000000417',
  'bankReceiptId=LIQ-1',
])('what became of the money of a boleto is found by %s', async (query) => {
  const { status, body } = await gateway.call('GET', `/api/v2/movements?${query}`)
  expect(status).toBe(200)
  expect(body.content[0]).toMatchObject({
    source: { receiptId: 12 },
    boleto: { ourNumber: '12345670000000004', bankReceiptId: 'LIQ-1' },
  })
})

test.each(['invoiceId=78', 'ourNumber=12345670000000005', 'bankReceiptId=LIQ-2', 'resolved=true'])(
  'unexpected receipts are limited by %s',
  async (query) => {
    const { body } = await gateway.call('GET', `/api/v2/invoices/unexpected-receipts?${query}`)
    expect(body.content).toEqual([])
  },
)

test.each(['movements', 'invoices', 'invoices/unexpected-receipts'])(
  'a number that no boleto can have is refused by the list of %s',
  async (path) => {
    const { status, body } = await gateway.call('GET', `/api/v2/${path}?ourNumber=123`)
    expect([status, body.errors[0].pointer]).toEqual([400, '#/ourNumber'])
  },
)

test('the file of movements has a row for each, in which nothing is a formula and zeros stay', async () => {
  const { text, headers } = await gateway.call('GET', '/api/v2/movements/csv', {
    headers: { 'Accept-Language': 'pt-BR' },
  })
  expect(headers.get('content-disposition')).toBe('attachment; filename="movements.csv"')
  const [head, payment, returned, writeOff, disputed, won, pix] = text.split('\r\n')
  expect(head).toMatch(/^id;date;recordedDate;kind;method;/)
  expect(payment).toBe(
    '31;2025-12-31;2025-12-31;PAYMENT;CREDIT_CARD;77;\'=1+1;"Ana; Bia";012.345.678-90;981;;;674532;0305020554239;012345;3;105,00;100,00;2,00;0,03;2,97;102,03;;;;;;;;',
  )
  expect(returned).toContain(';-0,20;-0,20;0,00;0,00;0,00;-0,20;;TED 1;')
  expect(writeOff).toContain('WRITE_OFF;;77;')
  expect(writeOff).toContain(';0,00;0,00;0,00;0,01;0,00;0,00;BY_SELLER;')
  expect(disputed).toContain(';DISPUTE;CREDIT_CARD;77;;;;981;;5;;;;;-0,30;-0,30;')
  expect(won).toContain(';DISPUTE_WON;CREDIT_CARD;77;;;;981;;5;;;;;0,30;0,30;')
  expect(head).toMatch(/;note;endToEndId;txid;payerName;ourNumber;bankReceiptId$/)
  expect(pix).toMatch(
    /;E9999900820260709121500f3a91c07b;a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5d6;;;E9999900820260709121500f3a91c07b$/,
  )
})

test.each([
  [
    'unexpected-receipts/12/apply',
    { writeOffRest: true },
    'applyReceipt',
    { receiptId: 12, writeOffRest: true },
  ],
  [
    'unexpected-receipts/12/return',
    { returnedAt: 1_767_225_600_000, amountInCents: 5 },
    'returnReceipt',
    { amount: 5, returnedAt: 1_767_225_600_000 },
  ],
  [
    '77/payments/external',
    { amountInCents: 5, paidAt: 1_767_225_600_000, kind: 'CASH' },
    'recordPayment',
    { invoiceId: 77, amount: 5, kind: 'EXTERNAL_KIND_CASH' },
  ],
  [
    '77/returns',
    { amountInCents: 5, returnedAt: 1_767_225_600_000 },
    'recordReturn',
    { invoiceId: 77, amount: 5 },
  ],
  [
    '77/write-off',
    { reason: 'Acordo.' },
    'writeOff',
    { invoiceId: 77, amount: undefined, reason: 'Acordo.' },
  ],
])('POST %s is passed on once for each key', async (path, body, rpc, request) => {
  const headers = { 'Idempotency-Key': `key-${rpc}` }
  const before = gateway.invoices.asked.money.length
  const first = await gateway.call('POST', `/api/v2/invoices/${path}`, { body, headers })
  expect(first.status).toBe(200)
  const second = await gateway.call('POST', `/api/v2/invoices/${path}`, { body, headers })
  expect(second.body).toEqual(first.body)
  expect(gateway.invoices.asked.money.slice(before)).toMatchObject([{ rpc, request }])
})

test.each([
  ['unexpected-receipts/12/return', { returnedAt: 'now' }, '#/returnedAt'],
  ['unexpected-receipts/12/return', { returnedAt: null }, '#/returnedAt'],
  ['77/refunds', { amountInCents: null }, '#/amountInCents'],
  ['unexpected-receipts/12/return', { returnedAt: 1_767_225_600_000, amountInCents: 0 }, '#/amountInCents'],
  ['unexpected-receipts/12/keep', { note: ' ' }, '#/note'],
  ['77/payments/external', { amountInCents: 5, paidAt: 1_767_225_600_000, kind: 'GOLD' }, '#/kind'],
  ['77/write-off', { reason: 'x', amountInCents: 1.5 }, '#/amountInCents'],
  ['77/returns', { amountInCents: 5 }, '#/returnedAt'],
])('POST %s with %j is refused at %s', async (path, body, pointer) => {
  const { status, body: problem } = await gateway.call('POST', `/api/v2/invoices/${path}`, { body })
  expect(status).toBe(400)
  expect(problem.errors).toMatchObject([{ pointer }])
})

test('a return without a moment is one by Pix', async () => {
  const before = gateway.invoices.asked.money.length
  const path = '/api/v2/invoices/unexpected-receipts/12/return'
  expect((await gateway.call('POST', path, { body: { amountInCents: 5 } })).status).toBe(200)
  const request = { amount: 5, byPix: true }
  expect(gateway.invoices.asked.money.slice(before)).toMatchObject([{ rpc: 'returnReceipt', request }])
})

test('a receipt is read, and another one is not found', async () => {
  const read = (id: number) => gateway.call('GET', `/api/v2/invoices/unexpected-receipts/${id}`)
  expect((await read(12)).body).toMatchObject({ id: 12, openInCents: 20, outcome: null })
  expect((await read(13)).status).toBe(404)
})

test.each([
  ['email', 'a@example.com, b@example.com'],
  ['email', 'a@example.com\r\nBcc: b@example.com'],
  ['email', 'Shop <a@example.com>'],
  ['email', 'nobody'],
  ['phone', 'call us'],
  ['phone', '0800 123\r\n4567'],
  ['phone', '+--'],
])('a contact whose %s is none is refused, and the answer names the field', async (name, value) => {
  const body = { lateness: 'WAIVE', contact: { [name]: value } }
  const answer = await gateway.call('PUT', '/api/v2/invoices/settings', { body })
  expect(answer).toMatchObject({
    status: 400,
    body: { errors: [{ pointer: `#/contact/${name}`, code: 'FORMAT' }] },
  })
  expect(JSON.stringify(answer.body)).not.toContain(value.slice(0, 8))
})

test('lateness is waived unless the seller demands it', async () => {
  const path = '/api/v2/invoices/settings'
  expect((await gateway.call('GET', path)).body).toEqual({
    lateness: 'WAIVE',
    holidays: [],
    cardFees: [],
    pixReceiver: null,
    contact: null,
  })
  expect((await gateway.call('PUT', path, { body: { lateness: 'DEMAND' } })).body).toEqual({
    lateness: 'DEMAND',
    holidays: [],
    cardFees: [],
    pixReceiver: null,
    contact: null,
  })
  const pixReceiver = { branch: '0001', account: '1234567', type: 'SAVINGS' }
  const told = { lateness: 'WAIVE', pixReceiver }
  expect((await gateway.call('PUT', path, { body: told })).body).toMatchObject({ pixReceiver })
  const cardFees = [{ installments: 2, percentageBps: 399, fixedInCents: 39 }]
  expect((await gateway.call('PUT', path, { body: { lateness: 'WAIVE', cardFees } })).body).toMatchObject({
    cardFees,
  })
  const contact = { email: 'help@shop.example.com', phone: null }
  expect((await gateway.call('PUT', path, { body: { lateness: 'WAIVE', contact } })).body).toMatchObject({
    contact,
  })
  expect((await gateway.call('PUT', path, { body: { lateness: 'NEVER' } })).status).toBe(400)
  expect(Lateness.DEMAND).toBe('LATENESS_DEMAND')
})
