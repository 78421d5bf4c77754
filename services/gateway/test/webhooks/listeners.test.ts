import { startGateway, type Gateway } from '../support/gateway'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.stop())

const PATH = '/api/v2/webhooks/listeners'
const EVENT = {
  webhookId: 'evt_1',
  eventType: 'charge.captured',
  resourceKind: 'charge',
  resourceId: '981',
  createdAt: 5,
  headers: { 'webhook-id': 'evt_1' },
  body: '{"id":"evt_1"}',
}
async function listen(body: object = {}) {
  const answer = await gateway.call('POST', PATH, { body })
  const kept = gateway.notifier.listeners.find(({ id }) => id === answer.body.id)
  return { ...answer, id: answer.body.id as number, kept }
}

test('a listener is created with its secret, reads events after a number, and is removed', async () => {
  const { status, body, headers, id, kept } = await listen({ events: ['charge.*', 'charge.*'] })
  expect([status, body]).toEqual([
    201,
    { id, events: ['charge.*'], secret: `whsec_${id}`, createdAt: expect.any(Number) },
  ])
  expect(headers.get('location')).toBe(`https://pay.example.com${PATH}/${id}/events`)
  kept?.kept.push(
    { ...EVENT, number: 1 },
    { ...EVENT, number: 2, resourceKind: 'network_token', resourceId: 'f3a1' },
  )
  const read = await gateway.call('GET', `${PATH}/${id}/events?after=1&wait=1&size=5`)
  const shown = { number: 2, webhookId: 'evt_1', type: 'charge.captured', createdAt: 5, body: EVENT.body }
  expect([read.status, read.body]).toEqual([
    200,
    { events: [{ ...shown, resource: { kind: 'network_token', id: 'f3a1' }, headers: EVENT.headers }] },
  ])
  expect((await gateway.call('GET', `${PATH}/${id}/events`)).body.events).toHaveLength(2)
  expect((await gateway.call('DELETE', `${PATH}/${id}`)).status).toBe(204)
  expect((await gateway.call('GET', `${PATH}/${id}/events`)).status).toBe(404)
})

test('a listener without events gets all of them, and is created once for each Idempotency-Key', async () => {
  expect((await listen()).body.events).toBeNull()
  const ask = { headers: { 'idempotency-key': 'listen' } }
  const first = await gateway.call('POST', PATH, ask)
  const again = await gateway.call('POST', PATH, ask)
  expect([again.body, again.headers.get('idempotency-replayed')]).toEqual([first.body, 'true'])
})

test.each([
  ['after=-1', '#/after'],
  ['size=0', '#/size'],
  ['size=101', '#/size'],
  ['wait=21', '#/wait'],
  ['wait=x', '#/wait'],
])('%s is refused with a pointer to its parameter', async (query, pointer) => {
  const { id } = await listen()
  const { status, body } = await gateway.call('GET', `${PATH}/${id}/events?${query}`)
  expect([status, body.errors[0].pointer]).toEqual([400, pointer])
})

test('an unknown type is refused', async () => {
  expect(await listen({ events: ['charge.lost'] })).toMatchObject({
    status: 400,
    body: { errors: [{ pointer: '#/events/0' }] },
  })
})

test('another seller’s listener is 404; creating, reading and removing need their scopes', async () => {
  const { id } = await listen()
  const asked = async (token: string) => {
    const answers = [
      await gateway.call('GET', `${PATH}/${id}/events`, { token }),
      await gateway.call('POST', PATH, { token }),
      await gateway.call('DELETE', `${PATH}/${id}`, { token }),
    ]
    return answers.map(({ status }) => status)
  }
  expect(await asked(gateway.other.token)).toEqual([404, 201, 404])
  expect(await asked((await gateway.tokenWith(['webhooks:read'])).accessToken)).toEqual([200, 403, 403])
  expect(await asked((await gateway.tokenWith(['webhooks:write'])).accessToken)).toEqual([403, 201, 204])
})
