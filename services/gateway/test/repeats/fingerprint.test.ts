import { isSameBody } from '@cofre/platform/idempotency/mark'
import { readNamedKeys } from '@cofre/platform/named-keys'
import { fingerprintKeys, fingerprintsOf } from '../../src/http/fingerprint'
import { order } from '../support/bodies'
import { startGateway, type Gateway } from '../support/gateway'

const line = (id: string, fill: number) => `${id}:${Buffer.alloc(32, fill).toString('base64')}`
/** Returns the keys of a gateway with this file. */
const keys = (file: string) => fingerprintKeys(readNamedKeys(file, 'fingerprint key'))
const BODY = { amount: 1 }

/** True when one gateway accepts the body as a repeat of the request that the other kept. */
const takes = (one: ReturnType<typeof keys>, other: ReturnType<typeof keys>, body: object = BODY) =>
  isSameBody(fingerprintsOf(one, BODY).fingerprint, {
    key: 'k',
    method: 'POST',
    path: '/',
    ...fingerprintsOf(other, body),
  })

const [FIRST, SECOND] = [line('2026-1', 1), line('2026-2', 2)]
const PREPARED = `${FIRST}\n${SECOND}`
const TURNED = `${SECOND}\n${FIRST}`

test.each([
  ['the same file', keys(FIRST), keys(FIRST)],
  ['a new key below the first', keys(FIRST), keys(PREPARED)],
  ['the new key as the first', keys(PREPARED), keys(TURNED)],
  ['a pod that has not heard of it yet', keys(TURNED), keys(PREPARED)],
])('%s: the same body is known, and another is not', (_, one, other) => {
  expect([takes(one, other), takes(one, other, { amount: 2 })]).toEqual([true, false])
})

test('a key that has left the file is no longer compared', () => {
  expect(takes(keys(FIRST), keys(SECOND))).toBe(false)
})

test('a fingerprint names its key', () => {
  expect(fingerprintsOf(keys(TURNED), BODY)).toEqual({
    fingerprint: expect.stringMatching(/^2026-2:[\w+/]{43}=$/),
    otherFingerprints: [expect.stringMatching(/^2026-1:[\w+/]{43}=$/)],
  })
})

describe('through the gateway', () => {
  let gateway: Gateway
  beforeAll(async () => {
    gateway = await startGateway()
  })
  afterAll(() => gateway.stop())

  test('a repeat is answered after the key of its fingerprint was replaced', async () => {
    const ask = (over = {}) =>
      gateway.call('POST', '/api/v2/orders/credit-card/authorize', {
        body: order(over),
        headers: { 'idempotency-key': 'rotated' },
      })
    Object.assign(gateway.deps, { fingerprintKeys: keys(FIRST) })
    const first = await ask()
    Object.assign(gateway.deps, { fingerprintKeys: keys(TURNED) })
    const again = await ask()
    expect([again.status, again.body, again.headers.get('idempotency-replayed')]).toEqual([
      201,
      first.body,
      'true',
    ])
    expect(await ask({ orderReference: 'A-2' })).toMatchObject({ status: 422 })
  })
})
