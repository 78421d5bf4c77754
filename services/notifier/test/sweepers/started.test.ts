import { randomUUID } from 'node:crypto'
import type { Running } from '@cofre/platform/service/run-service'
import { eventually } from '@cofre/testing/testing'
import { insertDeliveries } from '../../src/deliveries/delivery-store'
import { deliveriesOf } from '../../src/notifications/envelope'
import { notificationOf, SOURCES } from '../../src/notifications/sources'
import { rotateSecret, secretsOfAll } from '../../src/secrets/secret-store'
import { startSweepers } from '../../src/sweepers/sweepers'
import { chargeEvent, newChargeId } from '../support/charge-event'
import { BASE_URL, startNotifier, type Notifier } from '../support/notifier'
import { startReceiver, type Receiver } from '../support/receiver'

const HALF_A_MINUTE = 30_000
const SELLER = 9

let notifier: Notifier
let receiver: Receiver
let sweepers: Running[]
beforeAll(async () => {
  notifier = await startNotifier()
  receiver = await startReceiver()
})
afterAll(async () => {
  await Promise.all(sweepers.map((each) => each.stop()))
  await notifier.stop()
  await receiver.close()
})

const found = async (sql: string) => (await notifier.pool.query(sql)).rowCount

/** Makes a secret of an endpoint that was replaced the given time ago, and returns it. */
async function replaced(endpointId: number, ago: string): Promise<string> {
  const { pool, deps } = notifier
  const secret = await rotateSecret(pool, deps.secretKey, { endpointId })
  await rotateSecret(pool, deps.secretKey, { endpointId })
  await pool.query(
    `UPDATE signing_secrets SET retired_at = now() - $2::interval
     WHERE endpoint_id = $1 AND retired_at = (SELECT max(retired_at) FROM signing_secrets WHERE endpoint_id = $1)`,
    [endpointId, ago],
  )
  return secret
}

async function newEndpoint(): Promise<number> {
  const { rows } = await notifier.pool.query(
    "INSERT INTO endpoints (seller_id, url, events) VALUES ($1, $2, '{}') RETURNING id",
    [SELLER + 1, receiver.url],
  )
  return rows[0].id
}

test('a secret that was replaced signs for 24 hours, and not for longer', async () => {
  const [young, old] = [await newEndpoint(), await newEndpoint()]
  const secrets = [await replaced(young, '23 hours 59 minutes'), await replaced(old, '24 hours 1 minute')]
  const { pool, deps } = notifier
  const signing = await secretsOfAll(pool, deps.secretKey, [{ endpointId: young }, { endpointId: old }])
  expect(signing.map(({ length }) => length)).toEqual([2, 1])
  expect(signing[0]?.[1]).toBe(secrets[0])
})

describe('once the sweepers are started', () => {
  beforeAll(async () => {
    const { pool, deps } = notifier
    const [charges] = SOURCES
    const chargeId = newChargeId()
    const notified = (sequence: number) =>
      notificationOf(charges!, chargeEvent({ chargeId, url: receiver.url, sequence }), BASE_URL)
    await insertDeliveries(pool, deliveriesOf(notified(1), []))
    await insertDeliveries(pool, deliveriesOf(notified(2), []))
    await pool.query(
      `UPDATE deliveries SET status = 'FAILED', next_attempt_at = NULL, created_at = now() - interval '31 days'
       WHERE sequence = 1`,
    )
    await pool.query(
      `INSERT INTO idempotency (seller_id, key, method, path, fingerprint, operation_id, response, completed_at, created_at)
       VALUES (1, 'old', 'POST', '/', 'f', $1, '', now(), now() - interval '8 days')`,
      [randomUUID()],
    )
    sweepers = await startSweepers(deps)
  })

  test.each<[string, () => Promise<void>]>([
    [
      'a secret that signs no more is forgotten',
      async () => {
        const old = "SELECT FROM signing_secrets WHERE retired_at < now() - interval '24 hours'"
        expect(await found(old)).toBe(0)
        expect(await found('SELECT FROM signing_secrets WHERE retired_at IS NOT NULL')).toBe(1)
      },
    ],
    [
      'an old delivery that is settled is forgotten',
      async () => expect(await found('SELECT FROM deliveries WHERE sequence = 1')).toBe(0),
    ],
    ['an old request is forgotten', async () => expect(await found('SELECT FROM idempotency')).toBe(0)],
    ['what waits is delivered', async () => expect(receiver.received.length).toBeGreaterThan(0)],
  ])('%s', (_, check) => eventually(check, HALF_A_MINUTE))

  test('an event is delivered', async () => {
    const before = receiver.received.length
    await notifier.deps.eventLog.publish('orders.v1', [
      chargeEvent({ chargeId: newChargeId(), url: receiver.url }),
    ])
    await eventually(() => expect(receiver.received.length).toBeGreaterThan(before), HALF_A_MINUTE)
  })
})
