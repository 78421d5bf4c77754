import { randomUUID } from 'node:crypto'
import { newCall, runCall, type Call } from '@cofre/platform/grpc/call-context'
import { callRepeatable, callRpc } from '@cofre/platform/grpc/client'
import { eventually } from '@cofre/testing/testing'
import { RequestState } from '@cofre/proto/idempotency/v1/idempotency'
import { NotifierClient } from '@cofre/proto/notifier/v1/notifier'
import { Webhook } from 'standardwebhooks'
import { secretsOfSeller } from '../src/secrets/secret-store'
import { chargeEvent, newChargeId } from './support/charge-event'
import { startNotifier, type Notifier } from './support/notifier'
import { startReceiver } from './support/receiver'

let notifier: Notifier
beforeAll(async () => {
  notifier = await startNotifier()
})
afterAll(() => notifier.stop())

let lastSeller = 100
const newSeller = () => (lastSeller += 1)

async function get(sellerId: number): Promise<string> {
  const { secret } = await callRpc(notifier.client, notifier.client.getSigningSecret, { sellerId })
  return secret
}

/** Rotates as the gateway does for a request with an Idempotency-Key. */
async function rotate(
  sellerId: number,
  key?: string,
  fingerprint = 'f',
): Promise<{ secret: string; replayed: boolean }> {
  const path = '/api/v2/webhooks/secret/rotate'
  const idempotency = key === undefined ? {} : { idempotency: { key, method: 'POST', path, fingerprint } }
  const call: Call = { ...newCall({ timeoutMs: 10_000 }), ...idempotency }
  const { response, replayed } = await runCall(call, () =>
    callRepeatable(notifier.client, notifier.client.rotateSigningSecret, { sellerId }),
  )
  return { ...response, replayed }
}

describe('GetSigningSecret', () => {
  test('makes a secret of 32 bytes when first asked, and answers the same from then on', async () => {
    const seller = newSeller()
    const secret = await get(seller)
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(await get(seller)).toBe(secret)
    expect(await get(newSeller())).not.toBe(secret)
  })

  test('asked by many at once for the first time, answers all with one secret', async () => {
    const seller = newSeller()
    const secrets = await Promise.all(Array.from({ length: 12 }, () => get(seller)))
    expect(new Set(secrets).size).toBe(1)
  })

  test('answers nobody but the gateway', async () => {
    const client = await notifier.network.clientOf(NotifierClient, notifier.address, 'orders')
    await expect(callRpc(client, client.getSigningSecret, { sellerId: 9 })).rejects.toMatchObject({ code: 7 })
    await expect(callRpc(client, client.rotateSigningSecret, { sellerId: 9 })).rejects.toMatchObject({
      code: 7,
    })
  })
})

describe('RotateSigningSecret', () => {
  test('makes another secret, which is current from then on', async () => {
    const seller = newSeller()
    const before = await get(seller)
    const { secret } = await rotate(seller)
    expect(secret).not.toBe(before)
    expect(await get(seller)).toBe(secret)
  })

  test('works before a first secret was ever asked for', async () => {
    const seller = newSeller()
    const { secret } = await rotate(seller)
    expect(await get(seller)).toBe(secret)
  })

  test('repeated with its key rotates once and answers the same', async () => {
    const seller = newSeller()
    const key = randomUUID()
    const first = await rotate(seller, key)
    const again = await rotate(seller, key)
    expect(again.secret).toBe(first.secret)
    expect([first.replayed, again.replayed]).toEqual([false, true])
    expect(await get(seller)).toBe(first.secret)
    await expect(rotate(seller, key, 'another body')).rejects.toMatchObject({
      reason: 'IDEMPOTENCY_KEY_REUSED',
    })
    const kept = await callRpc(notifier.marks, notifier.marks.findRequest, { sellerId: seller, key })
    expect(kept.state).toBe(RequestState.DONE)
  })

  test('raced without keys, makes each secret current for a while, and the last one stays', async () => {
    const seller = newSeller()
    const secrets = await Promise.all(Array.from({ length: 6 }, async () => (await rotate(seller)).secret))
    expect(new Set(secrets).size).toBe(6)
    expect(secrets).toContain(await get(seller))
  })

  test('raced with one key, rotates once', async () => {
    const seller = newSeller()
    await get(seller)
    const key = randomUUID()
    const results = await Promise.allSettled(Array.from({ length: 6 }, () => rotate(seller, key)))
    for (const result of results) {
      if (result.status === 'fulfilled') expect(result.value.secret).toBe(await get(seller))
      else expect(result.reason).toMatchObject({ reason: 'IDEMPOTENCY_KEY_IN_USE' })
    }
    const { rows } = await notifier.pool.query('SELECT FROM signing_secrets WHERE seller_id = $1', [seller])
    expect(rows).toHaveLength(2)
  })

  test('interrupted before its commit leaves the secret and the key as they were', async () => {
    const seller = newSeller()
    const before = await get(seller)
    await notifier.pool
      .query(`CREATE FUNCTION fail() RETURNS trigger AS $$ BEGIN RAISE 'the power fails'; END $$
      LANGUAGE plpgsql; CREATE CONSTRAINT TRIGGER fails AFTER INSERT ON signing_secrets DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW EXECUTE FUNCTION fail()`)
    const key = randomUUID()
    await expect(rotate(seller, key)).rejects.toMatchObject({ code: 13 })
    await notifier.pool.query('DROP TRIGGER fails ON signing_secrets')
    expect(await get(seller)).toBe(before)
    expect((await rotate(seller, key)).secret).not.toBe(before)
  })

  test('a flood of rotations keeps the newest ten secrets in the signatures', async () => {
    const seller = newSeller()
    const made: string[] = []
    for (let count = 0; count < 12; count += 1) made.push((await rotate(seller)).secret)
    const { pool, secretKey } = notifier.deps
    expect(await secretsOfSeller(pool, secretKey, seller)).toEqual(made.reverse().slice(0, 10))
  })
})

test('a day after a rotation only the new secret signs; until then both do', async () => {
  const seller = newSeller()
  const receiver = await startReceiver()
  await notifier.consume()
  const tell = async () => {
    receiver.received.length = 0
    const event = chargeEvent({ chargeId: newChargeId(), url: receiver.url, sellerId: seller })
    await notifier.deps.eventLog.publish('orders.v1', [event])
    await eventually(() => expect(receiver.received).toHaveLength(1))
    const [told] = receiver.received
    const headers = (told?.headers ?? {}) as Record<string, string>
    return (secret: string) => new Webhook(secret).verify(told?.body ?? '', headers)
  }
  const old = await get(seller)
  const { secret } = await rotate(seller)
  const during = await tell()
  expect(during(old)).toEqual(during(secret))
  await notifier.pool.query(
    "UPDATE signing_secrets SET retired_at = retired_at - interval '24 hours' WHERE seller_id = $1",
    [seller],
  )
  const after = await tell()
  expect(after(secret)).toBeDefined()
  expect(() => after(old)).toThrow('No matching signature')
  await receiver.close()
})

test('no secret is readable in the database, and a row moved to another seller cannot be opened', async () => {
  const [seller, other] = [newSeller(), newSeller()]
  const secrets = [await get(seller), (await rotate(seller, randomUUID())).secret]
  const { rows } = await notifier.pool.query<{ text: string }>(
    `SELECT (encode(sealed, 'escape')) AS text FROM signing_secrets
     UNION ALL SELECT encode(response, 'escape') FROM idempotency WHERE response IS NOT NULL`,
  )
  const stored = rows.map(({ text }) => text).join('\n')
  for (const secret of secrets) expect(stored).not.toContain(secret.slice('whsec_'.length))
  expect(stored).not.toContain('whsec_')
  await notifier.pool.query(
    'UPDATE signing_secrets SET seller_id = $2 WHERE seller_id = $1 AND retired_at IS NULL',
    [seller, other],
  )
  await expect(get(other)).rejects.toMatchObject({ code: 13 })
})
