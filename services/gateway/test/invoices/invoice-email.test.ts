import { DomainError } from '@cofre/platform/errors'
import { EmailKind, EmailLanguage, EmailStatus, ListedEmail } from '@cofre/proto/invoices/v1/invoices'
import { newInvoice } from '../support/bodies'
import { startGateway, type Gateway } from '../support/gateway'

let gateway: Gateway
let id: number
beforeAll(async () => {
  gateway = await startGateway()
})
beforeEach(async () => {
  const path = `/api/v2/sellers/${gateway.sellerId}/invoices`
  id = (await gateway.call('POST', path, { body: { ...newInvoice, invoiceNumber: undefined } })).body.id
})
afterEach(() => {
  gateway.invoices.hooks.onCall = () => {}
})
afterAll(() => gateway.stop())

const send = (options: object = {}, of = id) =>
  gateway.call('POST', `/api/v2/invoices/${of}/send-email`, options)
const asked = () => gateway.invoices.asked.invoices.email

test('an invoice is e-mailed in Portuguese in the name of its seller, and the answer names the recipient', async () => {
  const { status, body } = await send()
  expect([status, body]).toEqual([
    200,
    {
      invoiceId: id,
      kind: 'ISSUED',
      to: 'ana@example.com',
      language: 'pt-BR',
      createdAt: expect.any(Number),
    },
  ])
  expect(asked().at(-1)).toEqual({
    sellerId: gateway.sellerId,
    invoiceId: id,
    // The service knows whether a recurring invoice has another language.
    language: EmailLanguage.UNSPECIFIED,
    sellerName: 'Loja',
  })
})

test('it is e-mailed in English on request; another language is refused', async () => {
  const { status, body } = await send({ body: { language: 'en' } })
  expect([status, body.language, asked().at(-1)?.language]).toEqual([200, 'en', EmailLanguage.ENGLISH])
  await send({ body: { language: 'pt-BR' } })
  expect(asked().at(-1)?.language).toBe(EmailLanguage.PORTUGUESE)
  const refused = await send({ body: { language: 'fr' } })
  expect([refused.status, refused.body.errors[0].pointer]).toEqual([400, '#/language'])
})

test('a repeat with its key gets the first answer', async () => {
  const headers = { 'Idempotency-Key': `mail-${id}` }
  const first = await send({ headers })
  const second = await send({ headers })
  expect([second.status, second.body, second.headers.get('idempotency-replayed')]).toEqual([
    200,
    first.body,
    'true',
  ])
})

test('an unknown invoice is 404', async () => {
  expect((await send({}, 999_999)).status).toBe(404)
})

test.each([
  ['INVALID_INVOICE_STATE', 'failed_precondition', 422],
  ['PAYMENT_WINDOW_CLOSED', 'failed_precondition', 422],
  ['CUSTOMER_HAS_NO_EMAIL', 'failed_precondition', 422],
  ['EMAIL_NOT_SET_UP', 'failed_precondition', 422],
  ['RATE_LIMITED', 'rate_limited', 429],
] as const)('%s of the service is %s: %i', async (reason, kind, status) => {
  gateway.invoices.hooks.onCall = () => {
    throw new DomainError(kind, reason, 'As told.', { retryAfterSeconds: 60 })
  }
  const answer = await send()
  expect([answer.status, answer.body.code]).toEqual([status, reason])
  if (status === 429) expect(answer.headers.get('retry-after')).toBe('60')
})

test('the e-mails of an invoice are listed with what became of each', async () => {
  gateway.invoices.emails.push(
    ListedEmail.fromPartial({
      id: 2,
      kind: EmailKind.REFUNDED,
      to: 'ana@example.com',
      language: EmailLanguage.ENGLISH,
      status: EmailStatus.WAITING,
      createdAt: 1_767_225_700_000,
    }),
    ListedEmail.fromPartial({
      id: 1,
      kind: EmailKind.ISSUED,
      to: 'ana@exmaple.com',
      language: EmailLanguage.PORTUGUESE,
      status: EmailStatus.REFUSED,
      createdAt: 1_767_225_600_000,
      endedAt: 1_767_225_600_500,
    }),
  )
  const { status, body } = await gateway.call('GET', `/api/v2/invoices/${id}/emails`)
  expect([status, body]).toEqual([
    200,
    [
      {
        id: 2,
        kind: 'REFUNDED',
        to: 'ana@example.com',
        language: 'en',
        status: 'WAITING',
        createdAt: 1_767_225_700_000,
        endedAt: null,
      },
      {
        id: 1,
        kind: 'ISSUED',
        to: 'ana@exmaple.com',
        language: 'pt-BR',
        status: 'REFUSED',
        createdAt: 1_767_225_600_000,
        endedAt: 1_767_225_600_500,
      },
    ],
  ])
  expect((await gateway.call('GET', '/api/v2/invoices/999/emails')).status).toBe(404)
})
