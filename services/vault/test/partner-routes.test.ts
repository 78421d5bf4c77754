import { partnersSetting } from '../src/partners/partners'
import { routeOf } from '../src/partners/routes'

const settings = partnersSetting.parse(
  JSON.stringify({
    ticket: {
      url: 'https://issuer.example',
      callers: ['vouchers'],
      routes: [
        'GET /v2/transactions?order_ref={id}',
        'POST /v2/transactions/{id}/cancel',
        'GET /v2/cards/{id}',
      ],
      fields: {},
    },
  }),
)
const allows = (method: string, path: string) =>
  settings['ticket'] && routeOf(settings['ticket'].routes, method, path) !== undefined
const waysTo = (id: string) => [
  allows('POST', `/v2/transactions/${id}/cancel`),
  allows('GET', `/v2/transactions?order_ref=${id}`),
  allows('GET', `/v2/cards/${id}`),
]

test.each(['1', 'PED-1', 'txn_1', 'a.b', '..a', 'x'.repeat(100)])('a route takes the id %s', (id) => {
  expect(waysTo(id)).toEqual([true, true, true])
})

test.each(['', '.', '..', '...', 'a/b', 'a?b', 'a&b', '%2e', 'a b', 'x'.repeat(101)])(
  'a route takes nothing else in place of an id: %p',
  (id) => {
    expect(waysTo(id)).toEqual([false, false, false])
  },
)

describe('routes of banks', () => {
  const routes = [
    'PATCH /cobv/{id}',
    'PUT /pix/{id}/devolucao/{id}',
    'DELETE /webhook/{key}',
    'GET /pix?inicio={time}&fim={time}&paginacao.paginaAtual={id}',
  ]
  const at = (time: string) => `/pix?inicio=${time}&fim=2026-11-28T00%3A00%3A00Z&paginacao.paginaAtual=0`
  const base = { url: 'https://bank.example', callers: ['invoices'], fields: {} }
  const read = (route: string) =>
    partnersSetting.safeParse(JSON.stringify({ pix: { ...base, routes: [route] } })).success

  test.each(routes)('a setting may name %s', (route) => {
    expect(read(route)).toBe(true)
  })

  test.each([
    ['PATCH', '/cobv/7978c0c97ea847e78e8849634473c1f1'],
    ['PUT', '/pix/E18236120202611271200s0123456789/devolucao/D1'],
    ['DELETE', '/webhook/%2B5511999998888'],
    ['DELETE', '/webhook/loja.azul%40example.com'],
    ['GET', at('2026-11-27T00%3A00%3A00.123Z')],
    ['GET', at('2026-11-27T00%3A00%3A00%2B03%3A00')],
  ])('allowed: %s %s', (method, path) => {
    expect(routeOf(routes, method, path)).toBeDefined()
  })

  test.each([
    ['DELETE', '/cobv/1'],
    ['PUT', '/pix/E1/devolucao/../D1'],
    ['PUT', '/pix/E1/devolucao/D1/D2'],
    ['PATCH', '/cobv/a%2Fb'],
    ['PATCH', '/cobv/{id}'],
    ['DELETE', '/webhook/a%2Fb'],
    ['DELETE', '/webhook/..'],
    ['DELETE', '/webhook/a@b'],
    ['GET', '/pix'],
    ['GET', at('2026-11-27')],
    ['GET', at('2026-11-27T00:00:00Z')],
    ['GET', at('2026-11-27T00%3A00%3A00Z&cpf=12345678909')],
    ['GET', `${at('2026-11-27T00%3A00%3A00Z')}&status=CONCLUIDA`],
    ['GET', '/pix?fim=2026-11-28T00%3A00%3A00Z&inicio=2026-11-27T00%3A00%3A00Z&paginacao.paginaAtual=0'],
  ])('not allowed: %s %s', (method, path) => {
    expect(routeOf(routes, method, path)).toBeUndefined()
  })

  test.each([
    'GET /pix/{time}',
    'HEAD /pix',
    'GET /pix?fim=1',
    'GET /pix?a={id}&',
    'GET pix',
    'GET /pix?{id}=a',
  ])('a setting may not name %s', (route) => {
    expect(read(route)).toBe(false)
  })
})

test.each([
  ['an http address of tokens', { oauth: { url: 'http://a.example/token', clientAuthentication: 'body' } }],
  ['another way to authenticate', { oauth: { url: '/token', clientAuthentication: 'jwt' } }],
  ['a PEM text in a header', { credentials: { 'x-key': 'privateKey' } }],
  ['a file with GET', { files: { routes: ['GET /file'], field: 'file', encoding: 'multipart' } }],
])('a setting with %s is refused', (_, change) => {
  const base = { url: 'https://a.example', callers: ['orders'], routes: ['GET /a'], fields: {} }
  expect(partnersSetting.safeParse(JSON.stringify({ a: base })).success).toBe(true)
  expect(partnersSetting.safeParse(JSON.stringify({ a: { ...base, ...change } })).success).toBe(false)
})
