import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeWith } from '@cofre/engines/describe-with'
import type { Engine } from '@cofre/engines/engine'
import { startMongo } from '@cofre/engines/mongodb'
import { freePorts } from '@cofre/engines/ports'
import { eventually } from '@cofre/testing/testing'
import { order } from './support/bodies'
import { startGateway, type Gateway } from './support/gateway'

const AFTER_OUTAGE_MS = 180_000

describeWith('mongodb', 'the history of requests in MongoDB', () => {
  const dir = mkdtempSync(join(tmpdir(), 'cofre-mongodb-'))
  let options: { dir: string; port: number }
  let engine: Engine
  let gateway: Gateway
  beforeAll(async () => {
    const [port = 0] = await freePorts(1)
    options = { dir, port }
    engine = await startMongo(options)
    gateway = await startGateway({ MONGODB_URL: engine.url })
  })
  afterAll(async () => {
    await gateway.stop()
    await engine.stop()
    rmSync(dir, { recursive: true, force: true })
  })

  const authorize = (requestId: string) =>
    gateway.call('POST', '/api/v2/orders/credit-card/authorize', {
      body: order(),
      headers: { 'x-request-id': requestId },
    })
  const found = async (requestId: string) => {
    const { status, body } = await gateway.call('GET', `/api/v2/history/requests?requestId=${requestId}`)
    expect([status, body.content?.length]).toEqual([200, 1])
    const { body: record } = await gateway.call('GET', `/api/v2/history/requests/${body.content[0].id}`)
    return record
  }

  test('a request is found in MongoDB and nowhere else, once it is written', async () => {
    const { body: charge } = await authorize('in-mongodb')
    const record = await eventually(() => found('in-mongodb'))
    expect(record).toMatchObject({ status: 201, answer: { id: charge.id }, body: { amount: 10_000 } })
    expect((await gateway.deps.pool.query('SELECT FROM history')).rows).toEqual([])
    const { body } = await gateway.call('GET', '/api/v2/history/requests?method=POST&status=201,202')
    expect(body).toMatchObject({ totalElements: 1, content: [{ requestId: 'in-mongodb' }] })
  })

  test('while MongoDB is away, charges go on; afterwards their requests are found', async () => {
    await engine.kill()
    const requestIds = Array.from({ length: 40 }, (_, at) => `away-${at}`)
    const durations: number[] = []
    for (const requestId of requestIds) {
      const began = performance.now()
      expect((await authorize(requestId)).status).toBe(201)
      durations.push(performance.now() - began)
    }
    // None waits for MongoDB. A busy machine may delay a few.
    expect(durations.toSorted((one, other) => one - other)[20]).toBeLessThan(2_000)
    expect(await gateway.call('GET', '/api/v2/history/requests')).toMatchObject({ status: 503 })
    expect(gateway.deps.recorder.counts()).toMatchObject({ lost: 0 })
    engine = await startMongo(options)
    await eventually(() => found('away-39'), AFTER_OUTAGE_MS)
    for (const requestId of requestIds) await found(requestId)
    expect(gateway.deps.recorder.counts().lost).toBe(0)
  })
})
