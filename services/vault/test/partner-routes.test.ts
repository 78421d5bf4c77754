import { allowsRoute, partnersSetting } from '../src/partners/partners'

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
  settings['ticket'] && allowsRoute(settings['ticket'], method, path)
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
