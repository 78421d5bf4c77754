import { currentCall } from '@cofre/platform/grpc/call-context'
import { DomainError, unavailable } from '@cofre/platform/errors'
import { RedirectOutcome } from '@cofre/proto/vouchers/v1/vouchers'
import { startGateway, type Gateway } from '../support/gateway'

const { AUTHORIZED, REFUSED, CODE_REFUSED, UNAVAILABLE, BEING_CHECKED } = RedirectOutcome
const CODE = 'SECRET-CODE-4711'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterEach(() => {
  const { next } = gateway.vouchers.redirects
  Object.assign(next, { outcome: AUTHORIZED, uiLocale: 'pt-BR', fail: undefined })
})
afterAll(() => gateway.stop())

const finished = () => gateway.vouchers.redirects.finished
/** The query and headers that the identity provider gives to the holder's browser, except its state. */
type Brought = { brand?: string; query?: string; language?: string; method?: string }

/** Returns the state of a redirect that waits for its holder. */
async function beginRedirect(): Promise<string> {
  const { body } = await gateway.call('POST', `/api/v2/sellers/${gateway.sellerId}/vouchers/ticket/tokens`, {
    body: { notificationUrl: 'https://shop.example.com/hook', cardType: 'MEAL' },
  })
  return new URL(body.authUrl).searchParams.get('state') ?? ''
}

/** Requests the page like a browser that comes back. */
async function comeBack(state: string, { brand = 'ticket', query = `code=${CODE}`, ...how }: Brought = {}) {
  const { language = '', method = 'GET' } = how
  const url = `${gateway.url}/partners/${brand}/callback?state=${state}&${query}`
  const response = await fetch(url, { method, headers: { 'accept-language': language } })
  const html = await response.text()
  return { status: response.status, headers: response.headers, html, title: titleOf(html) }
}

function titleOf(html: string): string {
  return /<h1>([^<]*)<\/h1>/.exec(html)?.[1] ?? ''
}

test('the holder sees that the card is authorized, and the service gets the values of the query', async () => {
  const state = await beginRedirect()
  const { status, headers, html, title } = await comeBack(state, {
    brand: 'Ticket',
    query: `code=${CODE}&iss=https%3A%2F%2Fid.example.com`,
  })
  expect([status, title]).toEqual([200, 'Cartão autorizado'])
  expect(html).toContain('<html lang="pt-BR">')
  expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(finished().at(-1)).toEqual({
    brandSegment: 'Ticket',
    state,
    code: CODE,
    error: '',
    iss: 'https://id.example.com',
  })
})

test.each([
  [AUTHORIZED, 200, 'Cartão autorizado', 'Card authorized'],
  [REFUSED, 200, 'Autorização recusada', 'Authorization refused'],
  [CODE_REFUSED, 400, 'Autorização não reconhecida', 'Authorization not recognized'],
  [UNAVAILABLE, 503, 'O serviço do cartão não responde', 'The card service does not answer'],
  [BEING_CHECKED, 200, 'Estamos conferindo a autorização', 'We are checking the authorization'],
])(
  '%s is shown in the language in which the holder was asked',
  async (outcome, status, portuguese, english) => {
    for (const [uiLocale, title] of [
      ['pt-BR', portuguese],
      ['en', english],
    ]) {
      Object.assign(gateway.vouchers.redirects.next, { outcome, uiLocale })
      const answer = await comeBack(await beginRedirect(), { language: 'de' })
      expect([answer.status, answer.title]).toEqual([status, title])
    }
  },
)

test('a refusal goes to the service with its error', async () => {
  const state = await beginRedirect()
  await comeBack(state, { query: 'error=access_denied&error_description=The+holder+said+no' })
  expect(finished().at(-1)).toMatchObject({ state, code: '', error: 'access_denied' })
})

test('a used link leads to a page that says so, in the language of the browser', async () => {
  const state = await beginRedirect()
  await comeBack(state)
  const again = await comeBack(state, { language: 'pt-PT,pt;q=0.9,en;q=0.8' })
  expect([again.status, again.title]).toEqual([400, 'Este link não pode ser usado'])
  const english = await comeBack(state, { language: 'en-GB' })
  expect([english.status, english.title]).toEqual([400, 'This link cannot be used'])
})

/** A text in the form of a state that vouchers seals. */
const OF_FORM = `key.${'b'.repeat(60)}`

test.each([
  ['no state', '', 'code=a'],
  ['a state that nobody sealed', 'a', 'code=a'],
  ['two states', `${OF_FORM}&state=${OF_FORM}`, 'code=a'],
  ['neither code nor error', OF_FORM, ''],
  ['a code and an error', OF_FORM, 'code=a&error=b'],
  ['two codes', OF_FORM, 'code=a&code=b'],
  ['a code that is too long', OF_FORM, `code=${'x'.repeat(2_001)}`],
  ['a code that is no text', OF_FORM, 'code=%00'],
])('%s is a link that cannot be used, and no service is asked', async (_what, state, query) => {
  const count = finished().length
  expect(await comeBack(state, { query })).toMatchObject({ status: 400 })
  expect(finished()).toHaveLength(count)
})

test('only GET ends a redirect: HEAD and POST leave the link usable', async () => {
  const state = await beginRedirect()
  const count = finished().length
  for (const method of ['HEAD', 'POST']) {
    const { status, headers } = await comeBack(state, { method })
    expect([status, headers.get('allow')]).toEqual([405, 'GET'])
  }
  expect(finished()).toHaveLength(count)
  expect((await comeBack(state)).title).toBe('Cartão autorizado')
})

test.each([
  ['is away', () => unavailable('The database does not answer.'), 503, 'The card service does not answer'],
  ['fails', () => new Error('a bug'), 500, 'The card service does not answer'],
  [
    'refuses',
    () => new DomainError('not_found', 'NOT_FOUND', 'There is no such brand.'),
    400,
    'This link cannot be used',
  ],
])('a service that %s leads to a page too', async (_how, error, status, title) => {
  gateway.vouchers.redirects.next.fail = () => Promise.reject(error())
  const answer = await comeBack(await beginRedirect(), { language: 'en' })
  expect([answer.status, answer.title]).toEqual([status, title])
  expect(answer.headers.get('retry-after')).toBe(status === 503 ? '60' : null)
})

test('an answer that was lost after the code was used is still being checked', async () => {
  gateway.vouchers.redirects.next.fail = () => {
    Object.assign(currentCall()?.dispatch ?? {}, { begun: true })
    return Promise.reject(Object.assign(new Error('gone'), { code: 'ECONNRESET' }))
  }
  const { status, title } = await comeBack(await beginRedirect(), { language: 'en' })
  expect([status, title]).toEqual([200, 'We are checking the authorization'])
})

test('the page loads nothing, runs nothing, and sends its address nowhere', async () => {
  const { headers, html } = await comeBack(await beginRedirect())
  expect(headers.get('content-security-policy')).toMatch(
    /^default-src 'none';style-src 'sha256-[\w+/]{43}=';img-src data:;form-action 'none';frame-ancestors 'none'/,
  )
  expect(headers.get('referrer-policy')).toBe('no-referrer')
  expect(headers.get('cache-control')).toBe('no-store')
  expect(html).not.toMatch(/<script|<a |src=|https?:/)
})

test('no page, log line or history has the code or the state; the route is not in the reference', async () => {
  const state = 'SECRET-STATE-0815'
  const pages = [
    await comeBack(state),
    await comeBack(state, { brand: CODE }),
    await comeBack(state, { query: `code=${CODE}&code=${CODE}` }),
    await comeBack(state, { method: 'POST' }),
  ]
  const { text } = await gateway.call('GET', '/api/v2/history/requests?size=100')
  const { text: document } = await gateway.call('GET', '/openapi.json', { token: null })
  expect([...gateway.lines, ...pages.map(({ html }) => html), text].join('')).not.toMatch(/SECRET-/)
  expect(document).not.toContain('/partners')
})
