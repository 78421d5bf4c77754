import { Delivery, DeliveryStatus, Endpoint, EndpointStatus } from '@cofre/proto/notifier/v1/notifier'
import { openBrowser, readable } from './browser'
import { PASSWORD, startPortal, type PortalSystem } from './portal-system'

let system: PortalSystem
let lastId = 0
beforeAll(async () => {
  system = await startPortal()
})
afterAll(() => system.stop())

const PAGE = '/portal'

async function signedIn() {
  const { email, sellerId } = await system.makeSeller()
  const browser = openBrowser(system.url)
  await browser.signIn(email, PASSWORD)
  const text = async (path = '') => readable((await browser.get(`${PAGE}${path}`)).text)
  return { browser, sellerId, text }
}

function endpointOf(sellerId: number, change: Partial<Endpoint> = {}) {
  const id = (lastId += 1)
  const endpoint = {
    ...Endpoint.fromPartial({
      id,
      url: `https://shop.example/${id}`,
      status: EndpointStatus.ENABLED,
      ...change,
    }),
    sellerId,
  }
  system.behind.hooks.endpoints.push(endpoint)
  return endpoint
}

function deliveryOf(sellerId: number, change: Partial<Delivery> = {}) {
  const delivery = {
    ...Delivery.fromPartial({
      id: (lastId += 1),
      webhookId: 'evt_1',
      eventType: 'charge.captured',
      resourceKind: 'charge',
      resourceId: '981',
      url: 'https://shop.example/hooks',
      status: DeliveryStatus.FAILED,
      attempts: 2,
      lastStatus: 500,
      createdAt: Date.parse('2026-03-05T12:00:00-03:00'),
      ...change,
    }),
    sellerId,
  }
  system.behind.hooks.deliveries.push(delivery)
  return delivery
}

test('endpoints are listed with their health over the last day', async () => {
  const { browser, sellerId, text } = await signedIn()
  expect(await text('/endpoints')).toContain('You have no endpoints yet.')
  const { id, url } = endpointOf(sellerId, { description: 'The <shop>' })
  system.behind.hooks.health.set(id, {
    endpointId: id,
    delivered: 940,
    failed: 60,
    pending: 0,
    medianMs: 12,
    isLowerBound: true,
  })
  endpointOf(sellerId + 1, { url: 'https://other.example' })
  const list = await text('/endpoints')
  for (const shown of [url, 'More than 940', 'More than 60', 'Enabled']) expect(list).toContain(shown)
  expect(list).not.toContain('other.example')
  const page = await text(`/endpoints/${id}`)
  for (const shown of [url, 'The <shop>', 'More than 940', '12 ms']) expect(page).toContain(shown)
  const old = await browser.get('/portal/settings/integrations/webhooks')
  expect(old).toMatchObject({ status: 303, location: '/portal/endpoints' })
})

test('the buttons of an endpoint enable, ping, test and recover it', async () => {
  const { browser, sellerId, text } = await signedIn()
  const { id } = endpointOf(sellerId, { status: EndpointStatus.DISABLED, headerNames: ['x-api-key'] })
  const at = `${PAGE}/endpoints/${id}`
  expect(await text(`/endpoints/${id}`)).toContain('Cofre disabled this endpoint.')
  expect(await text(`/endpoints/${id}`)).toContain('x-api-key')
  expect(await browser.submit(`${at}/enable`, {}, at)).toMatchObject({ status: 303, location: at })
  const enabled = await text(`/endpoints/${id}`)
  expect(enabled).toContain('The endpoint is enabled.')
  expect(enabled).not.toContain('Cofre disabled this endpoint.')
  await browser.submit(`${at}/ping`, {}, at)
  expect(await text(`/endpoints/${id}`)).toContain('A ping was sent.')
  await browser.submit(`${at}/test`, { type: 'invoice.paid' })
  expect(await text(`/endpoints/${id}`)).toContain('The test event was sent.')
  expect(system.behind.hooks.samples.at(-1)).toMatchObject({
    sellerId,
    endpointId: id,
    eventType: 'invoice.paid',
  })
  await browser.submit(`${at}/recover`, { since: '1969-12-31T21:00' })
  expect(await text(`/endpoints/${id}`)).toContain('Deliveries that are sent again: 3')
})

test('an endpoint is made, shows its secret once, is changed, gets another secret and is deleted', async () => {
  const { browser, sellerId, text } = await signedIn()
  const typed = { url: 'https://shop.example/new', events: ['charge.captured', 'invoice.*'], rateLimit: '20' }
  const made = await browser.submit(`${PAGE}/endpoints/new`, typed)
  expect(made).toMatchObject({ status: 303, location: expect.stringMatching(/endpoints\/\d+$/) })
  const path = (made.location ?? '').slice(PAGE.length)
  const first = await text(path)
  expect(first).toContain('The endpoint was created.')
  const [secret = 'none'] = /whsec_\S+/.exec(first) ?? []
  expect(secret).not.toBe('none')
  expect(await text(path)).not.toContain('whsec_')
  const kept = system.behind.hooks.endpoints.find((each) => each.sellerId === sellerId)
  expect(kept).toMatchObject({ url: typed.url, events: typed.events, rateLimit: 20 })

  const form = (await browser.get(`${PAGE}${path}/edit`)).text
  expect(form).toMatch(/value="invoice\.\*"\s+checked/)
  expect(form).toContain(`value="${typed.url}"`)
  await browser.submit(`${PAGE}${path}/edit`, { url: 'https://shop.example/moved', description: 'Moved' })
  const moved = await text(path)
  for (const shown of ['The endpoint was changed.', 'https://shop.example/moved', 'Moved', 'All']) {
    expect(moved).toContain(shown)
  }
  const rotate = `${PAGE}${path}/rotate-secret`
  expect(await browser.submit(rotate, { currentPassword: 'not my password' })).toMatchObject({ status: 422 })
  expect(await text(path)).not.toContain('whsec_')
  expect(await browser.submit(rotate, { currentPassword: PASSWORD })).toMatchObject({ status: 303 })
  const [rotated] = /whsec_\S+/.exec(await text(path)) ?? []
  expect(rotated).not.toBe(secret)
  expect(system.logged()).not.toContain(rotated)
  expect(await browser.submit(`${PAGE}${path}/delete`, {})).toMatchObject({ location: `${PAGE}/endpoints` })
  expect((await browser.get(`${PAGE}${path}`)).status).toBe(404)
})

test('an invalid type, an invalid time and an unknown endpoint are refused', async () => {
  const { browser, sellerId } = await signedIn()
  const at = `${PAGE}/endpoints/${endpointOf(sellerId).id}`
  const before = system.behind.hooks.samples.length
  expect((await browser.submit(`${at}/test`, { type: 'charge.*' })).status).toBe(422)
  expect((await browser.submit(`${at}/recover`, { since: 'yesterday' })).status).toBe(422)
  expect(system.behind.hooks.samples).toHaveLength(before)
  const theirs = `${PAGE}/endpoints/${endpointOf(sellerId + 1).id}`
  expect((await browser.get(theirs)).status).toBe(404)
  expect((await browser.submit(`${theirs}/ping`, {}, at)).status).toBe(404)
  expect((await browser.get(`${PAGE}/endpoints/x`)).status).toBe(404)
})

test('deliveries are filtered by status, type, endpoint, resource and days', async () => {
  const { browser, sellerId } = await signedIn()
  const one = deliveryOf(sellerId, { endpointId: 77 })
  const two = deliveryOf(sellerId, {
    eventType: 'invoice.paid',
    resourceKind: 'invoice',
    resourceId: '5',
    status: DeliveryStatus.DELIVERED,
    createdAt: Date.parse('2026-03-06T23:59:59-03:00'),
  })
  const shown = async (query: string) => {
    const { text } = await browser.get(`${PAGE}/deliveries?${query}`)
    return [one, two].filter(({ id }) => text.includes(`/deliveries/${id}"`))
  }
  expect(await shown('')).toEqual([one, two])
  expect(await shown('status=FAILED')).toEqual([one])
  expect(await shown('type=invoice.*')).toEqual([two])
  expect(await shown('endpointId=77')).toEqual([one])
  expect(await shown('resourceKind=invoice&resourceId=5')).toEqual([two])
  expect(await shown('createdFrom=2026-03-06&createdTo=2026-03-06')).toEqual([two])
  expect(await shown('createdTo=2026-03-05')).toEqual([one])
  // What no list offers counts as absent; what is typed and can't be is explained.
  expect(await shown('status=LOST&type=x&page=x')).toEqual([one, two])
  for (const query of ['endpointId=x', 'resourceKind=invoice']) {
    const refused = await browser.get(`${PAGE}/deliveries?${query}`)
    expect([refused.status, readable(refused.text)]).toEqual([
      422,
      expect.stringContaining('Enter a valid value.'),
    ])
  }
})

test('a delivery shows each attempt and the sent body, and can be sent again', async () => {
  const { browser, sellerId, text } = await signedIn()
  const { id } = deliveryOf(sellerId, { webhookId: 'evt_test_1' })
  const page = await text(`/deliveries/${id}`)
  for (const shown of [
    'No answer',
    'Your server did not answer in time.',
    'TIMEOUT',
    '15000 ms',
    'HTTP 500',
    'sorry',
    '"id": "evt_1"',
    'Test',
    'charge 981',
  ])
    expect(page).toContain(shown)
  const at = `${PAGE}/deliveries/${id}`
  expect(await browser.submit(`${at}/resend`, {}, at)).toMatchObject({ status: 303, location: at })
  expect(await text(`/deliveries/${id}`)).toContain('Cofre sends the delivery again')
  const theirs = deliveryOf(sellerId + 1)
  expect((await browser.get(`${PAGE}/deliveries/${theirs.id}`)).status).toBe(404)
  expect((await browser.submit(`${PAGE}/deliveries/${theirs.id}/resend`, {}, at)).status).toBe(404)
})

test('events are listed once each, found by what the address says, and lead to their deliveries and things', async () => {
  system.behind.hooks.deliveries.length = 0
  const { browser, sellerId, text } = await signedIn()
  const endpoint = endpointOf(sellerId)
  const one = deliveryOf(sellerId, { webhookId: 'evt_one', endpointId: endpoint.id })
  deliveryOf(sellerId, { webhookId: 'evt_one', status: DeliveryStatus.DELIVERED })
  deliveryOf(sellerId, {
    webhookId: 'evt_two',
    eventType: 'invoice.paid',
    resourceKind: 'invoice',
    resourceId: '5',
  })
  deliveryOf(sellerId + 1, { webhookId: 'evt_theirs' })
  const shown = async (query: string) => {
    const page = await browser.get(`${PAGE}/events?${query}`)
    return [...new Set([...page.text.matchAll(/\/events\/(evt_\w+)"/g)].map(([, id]) => id))]
  }
  expect(await shown('')).toEqual(['evt_one', 'evt_two'])
  expect(await shown('type=invoice.*')).toEqual(['evt_two'])
  expect(await shown('resourceId=981')).toEqual(['evt_one'])
  expect(await shown('createdTo=2026-03-04')).toEqual([])
  expect(await text('/events')).toContain('Delivered: 1')
  expect(await text('/events')).toContain('Failed: 1')
  const { text: page } = await browser.get(`${PAGE}/events/evt_one`)
  for (const to of ['/charges/981', `/deliveries/${one.id}`, `/endpoints/${endpoint.id}`])
    expect(page).toContain(`href="${PAGE}${to}"`)
  expect(readable(page)).toContain('"id": "evt_one"')
  expect((await browser.get(`${PAGE}/deliveries/${one.id}`)).text).toContain(`href="${PAGE}/events/evt_one"`)
  for (const id of ['evt_theirs', 'evt_none', '7'])
    expect((await browser.get(`${PAGE}/events/${id}`)).status).toBe(404)
})

test('an event is sent again to the endpoint that is chosen', async () => {
  const { browser, sellerId, text } = await signedIn()
  const endpoint = endpointOf(sellerId)
  deliveryOf(sellerId, { webhookId: 'evt_sent' })
  const at = `${PAGE}/events/evt_sent/resend`
  expect((await browser.get(at)).text).toContain(endpoint.url)
  expect((await browser.submit(at, { endpointId: '' })).status).toBe(422)
  expect(await browser.submit(at, { endpointId: String(endpoint.id) })).toMatchObject({
    status: 303,
    location: `${PAGE}/events/evt_sent`,
  })
  expect(await text('/events/evt_sent')).toContain('Cofre sends the event to the endpoint.')
  expect(system.behind.hooks.deliveries.at(-1)).toMatchObject({
    webhookId: 'evt_sent',
    endpointId: endpoint.id,
    status: DeliveryStatus.PENDING,
  })
})
