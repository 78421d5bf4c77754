import { paymentsOf, saleBody } from './sales'
import { MERCHANT, startTestSandbox, type TestSandbox } from './support'

let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await startTestSandbox()
})
afterAll(() => sandbox.end())

const CAVV = 'AAABB2gHA1B5EFNjWQcDAAAAAAB='

function sellWith(orderId: string, change: object, brand = 'Visa') {
  const sale = saleBody({ orderId, brand })
  const body = { ...sale, Payment: { ...sale.Payment, ...change } }
  return sandbox.call('POST', `${sandbox.acquirerUrl}/1/sales`, { body, headers: MERCHANT })
}

test.each([
  ['Visa', '05', '05'],
  ['Visa', '6', '06'],
  ['Master', '02', '02'],
  ['Elo', '05', '05'],
])(
  'the acquirer answers a sale that an MPI authenticated (%s, %s) with its ECI',
  async (brand, eci, told) => {
    const orderId = `Auth${brand}${eci}`
    const ExternalAuthentication = { Eci: eci, Cavv: CAVV, Version: '2.2.0' }
    const { status, body } = await sellWith(orderId, { Authenticate: true, ExternalAuthentication }, brand)
    expect([status, body.Payment.Eci]).toEqual([201, told])
    const payments = await paymentsOf(sandbox, orderId)
    expect(payments).toMatchObject([{ eci: told }])
    expect(JSON.stringify([body, payments])).not.toContain(CAVV)
  },
)

test.each<[string, object, object]>([
  ['another brand’s ECI', { Eci: '02' }, {}],
  ['no CAVV', { Cavv: undefined }, {}],
  ['a CAVV that is none', { Cavv: 'short' }, {}],
  ['version 1', { Version: '1' }, {}],
  ['Authenticate false', {}, { Authenticate: false }],
])('%s proves nothing: the sale continues without an authentication', async (_, change, payment) => {
  const ExternalAuthentication = { Eci: '05', Cavv: CAVV, Version: '2.2.0', ...change }
  const { status, body } = await sellWith('Unproved', {
    Authenticate: true,
    ...payment,
    ExternalAuthentication,
  })
  expect([status, body.Payment.Status, body.Payment.Eci]).toEqual([201, 1, '07'])
})

test('a field that is too long is refused', async () => {
  const ExternalAuthentication = { Eci: '05', Cavv: `${CAVV}A`, Version: '2.2.0' }
  const { status, body } = await sellWith('Long', { Authenticate: true, ExternalAuthentication })
  expect([status, body[0].Code]).toEqual([400, 0])
})

test('a sale without an authentication has no ECI', async () => {
  const { body } = await sellWith('Plain', {})
  expect(body.Payment).not.toHaveProperty('Eci')
  expect(await paymentsOf(sandbox, 'Plain')).toMatchObject([{ eci: null }])
})
