import { startGateway, type Gateway } from '../support/gateway'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.stop())

const PATH = '/api/v2/invoices/themes'
const theme = {
  primaryColor: '#0B7A4B',
  secondaryColor: '#5b6472',
  logoUrl: 'https://shop.example.com/logo.png',
  colors: { headerBackground: '#0B7A4B', headerText: '#FFF', bodyBackground: '#FFFFFF', bodyText: '#1A1C1F' },
}

test('a theme is replaced and read as it was sent', async () => {
  const replaced = await gateway.call('PUT', PATH, { body: theme })
  expect([replaced.status, replaced.body]).toEqual([200, { ...theme, warnings: [] }])
  const read = await gateway.call('GET', PATH)
  expect([read.status, read.body]).toEqual([200, replaced.body])
})

test.each<[Record<string, unknown>, string]>([
  [{ primaryColor: 'red' }, '#/primaryColor'],
  [{ colors: { bodyText: '#12345' } }, '#/colors/bodyText'],
  [{ colors: [] }, '#/colors'],
  [{ logoUrl: 'javascript:alert(1)' }, '#/logoUrl'],
])('%j is refused at %s', async (over, pointer) => {
  const { status, body } = await gateway.call('PUT', PATH, { body: { ...theme, ...over } })
  expect([status, body.code, body.errors[0].pointer]).toEqual([400, 'VALIDATION_FAILED', pointer])
})

test('a repeat gets the first answer, and reading and writing need their scopes', async () => {
  const headers = { 'idempotency-key': 'theme-1' }
  const first = await gateway.call('PUT', PATH, { body: theme, headers })
  const again = await gateway.call('PUT', PATH, { body: theme, headers })
  expect([again.body, again.headers.get('idempotency-replayed')]).toEqual([first.body, 'true'])
  const reader = { token: (await gateway.tokenWith(['invoices:read'])).accessToken }
  expect((await gateway.call('PUT', PATH, { ...reader, body: theme })).status).toBe(403)
  expect((await gateway.call('GET', PATH, reader)).status).toBe(200)
})
