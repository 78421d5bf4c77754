import { eventually } from '@cofre/testing/testing'
import { type Answer, discard, startSystem, type System } from './system'

let system: System
let customerId: number
let productId: number
beforeAll(async () => {
  system = await startSystem()
  const customer = await make('/api/v2/customers', {
    name: 'Ana Souza',
    document: '52998224725',
    email: 'ana@example.com',
  })
  customerId = customer.id
  const product = await make('/api/v2/products', { productType: 'ONETIME', name: 'Caneca', value: 4_990 })
  productId = product.id
})
afterAll(async () => {
  await discard(system)
})

type Made = { id: number; paymentUrl: string }
type Mail = { subject: string; text: string; html: string }

async function make(path: string, body: object): Promise<Made> {
  return (await system.api('POST', path, { body })).body
}
const newInvoice = () =>
  make(`/api/v2/sellers/${system.ready.sellerId}/invoices`, {
    customerId,
    dueDate: Date.now() + 10 * 86_400_000,
    items: [{ productId, quantity: 2, unitPriceInCents: 4_990 }],
  })
const send = ({ id }: Made, headers = {}): Promise<Answer> =>
  system.api('POST', `/api/v2/invoices/${id}/send-email`, { headers })
const mailsOf = async ({ paymentUrl }: Made): Promise<Mail[]> => {
  const mails = (await system.sandbox('GET', '/mailbox?to=ana@example.com')) as Mail[]
  return mails.filter(({ text }) => text.includes(paymentUrl))
}

test('a customer gets the link to pay the invoice once, however often the request repeats its key', async () => {
  const invoice = await newInvoice()
  const headers = { 'idempotency-key': 'mail-me' }
  const [first, again] = [await send(invoice, headers), await send(invoice, headers)]
  expect([first.status, first.body.to, again.body]).toEqual([200, 'ana@example.com', first.body])
  await eventually(async () => expect(await mailsOf(invoice)).toHaveLength(1))
  const [mail] = await mailsOf(invoice)
  expect(mail?.subject).toContain('Loja Demo')
  expect(mail?.html).toContain('R$&nbsp;99,80')
})

test.each(['NOT_REACHED', 'HTTP_500', 'ANSWER_LOST', 'DONE_500'])(
  'when the mail server fails with %s, the e-mail still arrives once',
  async (kind) => {
    const invoice = await newInvoice()
    await system.sandbox('POST', '/faults', { partner: 'MAIL_SERVER', kind, times: 2 })
    await send(invoice)
    await eventually(async () => expect(await system.sandbox('GET', '/faults')).toEqual([]))
    await eventually(async () => expect(await mailsOf(invoice)).toHaveLength(1))
  },
)

test('a service that was stopped sends the requested e-mail once it is back', async () => {
  const invoice = await newInvoice()
  await system.sandbox('POST', '/faults', { partner: 'MAIL_SERVER', kind: 'HTTP_500', times: 1_000 })
  await send(invoice)
  await system.stopService('invoices')
  await system.sandbox('DELETE', '/faults')
  expect(await mailsOf(invoice)).toEqual([])
  system.startService('invoices')
  await eventually(async () => expect(await mailsOf(invoice)).toHaveLength(1))
})
