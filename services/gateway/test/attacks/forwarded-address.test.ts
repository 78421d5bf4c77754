import { takeAddresses } from '../../src/http/forwarded-address'
import { startGateway } from '../support/gateway'

const taken = (proxies: number, header: string | undefined) => {
  const req = { headers: header === undefined ? {} : { 'x-forwarded-for': header } }
  takeAddresses(proxies)(req as never, {} as never, () => {})
  return req.headers['x-forwarded-for']
}

test.each([
  [1, '203.0.113.7', '203.0.113.7'],
  [1, 'anything, 203.0.113.7', '203.0.113.7'],
  [2, '198.51.100.1,203.0.113.7', '198.51.100.1, 203.0.113.7'],
  [1, '2001:db8::1', '2001:db8::1'],
  [1, '203.0.113.7:4711', '203.0.113.7'],
  [1, '[2001:db8::1]:4711', '2001:db8::1'],
  [1, 'somebody', undefined],
  [1, '203.0.113.7, ', undefined],
  [2, 'somebody, 203.0.113.7', undefined],
  [1, '203.0.113.700', undefined],
  [1, undefined, undefined],
  [0, '203.0.113.7', undefined],
])('with %d proxies, %p is read as %p', (proxies, header, address) => {
  expect(taken(proxies, header)).toBe(address)
})

describe.each([
  ['no proxy', '0', (nth: number) => `198.51.100.${nth}`],
  ['a proxy that passes on what callers write', '1', (nth: number) => `caller-${nth}`],
])('behind %s', (_what, trusted, forwarded) => {
  test('a caller that names another address each time is still counted', async () => {
    const gateway = await startGateway({
      TRUSTED_PROXIES: trusted,
      ANONYMOUS_BURST: '5',
      ANONYMOUS_PER_SECOND: '1',
    })
    const statuses: number[] = []
    for (let nth = 0; nth < 30; nth++) {
      const headers = { 'x-forwarded-for': forwarded(nth) }
      statuses.push((await gateway.call('GET', '/api/v2/charges', { token: null, headers })).status)
    }
    expect(statuses).toContain(429)
    expect(gateway.lines.join('')).not.toContain(forwarded(1))
    await gateway.stop()
  })
})
