import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { describeWith } from '../../engines/src/describe-with'
import type { Engine } from '../../engines/src/engine'
import { startKafka } from '../../engines/src/kafka'
import { startMongo } from '../../engines/src/mongodb'
import { freePorts } from '../../engines/src/ports'
import { eventually } from '@cofre/testing/testing'
import { authorize, cardToken, customer, discard, startSystem, type System } from '../journeys/system'
import { startBusySellers, untilDelivered } from './busy-sellers'

/** How long an engine is away. ENGINES_AWAY_SECONDS=60 npm run test:engines is the long form. */
const AWAY_MS = Number(process.env['ENGINES_AWAY_SECONDS'] ?? 4) * 1_000
const BEFORE_AND_AFTER_MS = 2_000
const SELLERS = 4
const TIMEOUT_MS = AWAY_MS + 400_000

describeWith('kafka', 'the product on a real Kafka and a MongoDB-protocol server', () => {
  const dir = mkdtempSync(join(tmpdir(), 'cofre-engines-'))
  let kafkaOptions: Parameters<typeof startKafka>[0]
  let mongoOptions: Parameters<typeof startMongo>[0]
  let kafka: Engine
  let mongodb: Engine
  let system: System

  beforeAll(async () => {
    const [client = 0, controller = 0, port = 0] = await freePorts(3)
    kafkaOptions = { dir: join(dir, 'kafka'), ports: [client, controller] }
    mongoOptions = { dir: join(dir, 'mongodb'), port }
    kafka = await startKafka(kafkaOptions)
    mongodb = await startMongo(mongoOptions)
    process.stderr.write(`${kafka.name} ${kafka.version}, ${mongodb.name} ${mongodb.version}\n`)
    system = await startSystem(undefined, {
      engines: { kafka: kafka.url, mongodb: mongodb.url },
      adapt: (name, own) =>
        name === 'gateway' ? { ...own, RATE_LIMIT_PER_SECOND: '100000', RATE_LIMIT_BURST: '100000' } : own,
    })
  })
  afterAll(async () => {
    await discard(system)
    for (const engine of [kafka, mongodb] as (Engine | undefined)[]) await engine?.stop()
    rmSync(dir, { recursive: true, force: true })
  })

  test('a card is authorized, captured and refunded, and the events arrive in order and signed', async () => {
    const notificationUrl = `${system.ready.sandboxInboxUrl}/journey`
    const { body: authorized } = await authorize(system, 0, 6_000)
    expect(authorized.status).toBe('AUTHORIZED')
    const captured = await system.api('POST', `/api/v2/charges/${authorized.id}/capture`)
    expect(captured.body.status).toBe('CAPTURED')

    const { body: charged } = await system.api(
      'POST',
      `/api/v2/sellers/${system.ready.sellerId}/orders/credit-card/charge`,
      {
        body: {
          amount: 990,
          installments: 1,
          customer,
          cardToken: { token: await cardToken(system, 1) },
          notificationUrl,
        },
      },
    )
    await system.api('POST', `/api/v2/charges/${charged.id}/refund`, { body: { amount: 500 } })
    await system.api('POST', `/api/v2/charges/${charged.id}/refund`)
    const posts = await eventually(async () => {
      const all: { headers: Record<string, string>; body: string }[] = await system.sandbox(
        'GET',
        '/inbox/journey',
      )
      expect(all).toHaveLength(3)
      return all
    })
    const { body: secret } = await system.api('GET', '/api/v2/webhooks/secret')
    const events = posts.map((post) => new Webhook(secret.secret).verify(post.body, post.headers) as any)
    expect(events.map(({ type, sequence, data }) => [type, sequence, data.status])).toEqual([
      ['charge.captured', 1, 'CAPTURED'],
      ['charge.refunded', 2, 'PARTIALLY_REFUNDED'],
      ['charge.refunded', 3, 'REFUNDED'],
    ])
  })

  const outages: [string, string, () => Promise<void>, () => Promise<void>][] = [
    [
      'broker',
      'charges go on, and all is told, in order, once it is back',
      () => kafka.kill(),
      async () => void (kafka = await startKafka(kafkaOptions)),
    ],
    [
      'document store',
      'no charge waits for it, and all is told',
      () => mongodb.kill(),
      async () => void (mongodb = await startMongo(mongoOptions)),
    ],
  ]
  test.each(outages)(
    'the %s is killed under load: %s',
    async (name, _, kill, start) => {
      const busy = await startBusySellers(system, SELLERS, name.replace(' ', '-'))
      await pause(BEFORE_AND_AFTER_MS)
      await kill()
      const madeBefore = busy.made.length
      await pause(AWAY_MS)
      const madeMeanwhile = busy.made.length - madeBefore
      await start()
      await pause(BEFORE_AND_AFTER_MS)
      await busy.stop()
      expect(busy.failures).toEqual([])
      expect(madeMeanwhile).toBeGreaterThan(0)
      expect(await untilDelivered(system, busy.made)).toEqual([])
      process.stderr.write(`${name}: ${JSON.stringify({ made: busy.made.length, madeMeanwhile })}\n`)
    },
    TIMEOUT_MS,
  )
})
