import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describeWith } from '@cofre/engines/describe-with'
import type { Engine } from '@cofre/engines/engine'
import { startMongo } from '@cofre/engines/mongodb'
import { freePorts } from '@cofre/engines/ports'
import { createConnection } from 'mongoose'
import { HISTORY_KEPT_MS, type History } from '../src/history/history'
import { createLog } from '../src/telemetry/log'
import { openMongoHistory } from '../src/history/mongo-history'
import { eventually } from '@cofre/testing/testing'
import { keepsTheContract, newEntry, newSeller, type HistoryUnderTest } from './history-contract'

const silent = createLog('test', 'silent')
/** The driver looks for a server this long by default. */
const DRIVERS_OWN_MS = 30_000
const AFTER_OUTAGE_MS = 180_000

/** A server of its own, or the server that MONGODB_TEST_URL names, which can't be killed. */
async function startServer({ durable = false } = {}) {
  const dir = mkdtempSync(join(tmpdir(), 'cofre-mongodb-'))
  const [port = 0] = await freePorts(1)
  const options = { dir, port, durable }
  let engine: Engine = await startMongo(options)
  return {
    url: engine.url,
    kill: () => engine.kill(),
    restart: async () => void (engine = await startMongo(options)),
    end: async () => {
      await engine.stop()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

async function startStore(): Promise<HistoryUnderTest> {
  const given = process.env['MONGODB_TEST_URL']
  const server = given === undefined ? await startServer() : { url: given, end: async () => {} }
  const name = `test_${randomUUID()}`
  return { open: async () => openMongoHistory({ url: server.url, name }, silent), end: server.end }
}

function describeContract(name: string, tests: () => void): void {
  if (process.env['MONGODB_TEST_URL'] === undefined) describeWith('mongodb', name, tests)
  else describe(name, tests)
}

describeContract('history in MongoDB', () => keepsTheContract(startStore))

describeWith('mongodb', 'history in MongoDB, the server coming and going', () => {
  let server: Awaited<ReturnType<typeof startServer>>
  const open = () => openMongoHistory({ url: server.url, name: 'test' }, silent)
  beforeAll(async () => {
    server = await startServer()
    // SecantusDB does not start again when it was killed while it made its files for the first time.
    const history = open()
    await eventually(() => history.append([newEntry(newSeller())]))
    await history.close()
  })
  afterAll(() => server.end())

  test('a history opened without a server reports it away at once, and is written when it is back', async () => {
    await server.kill()
    const history = open()
    const entry = newEntry(newSeller())
    const began = Date.now()
    await expect(history.append([entry])).rejects.toMatchObject({ kind: 'unavailable' })
    expect(Date.now() - began).toBeLessThan(DRIVERS_OWN_MS)
    await server.restart()
    await eventually(() => history.append([entry]), AFTER_OUTAGE_MS)
    expect(await history.get(entry.sellerId, entry.id)).toEqual(entry)
    await history.close()
  })

  test('a server that goes away in between is used again once it is back', async () => {
    const history = open()
    await history.append([newEntry(newSeller())])
    await server.kill()
    const sellerId = newSeller()
    const entry = newEntry(sellerId)
    await expect(history.append([entry])).rejects.toMatchObject({ kind: 'unavailable' })
    await expect(history.find({ sellerId, page: 0, size: 1 })).rejects.toMatchObject({
      kind: 'unavailable',
    })
    await server.restart()
    await eventually(() => history.append([entry]), AFTER_OUTAGE_MS)
    expect((await history.find({ sellerId, page: 0, size: 1 })).total).toBe(1)
    await history.close()
  })

  test('closing does not wait for a server that is away', async () => {
    const [used, unused] = [open(), open()]
    await used.append([newEntry(newSeller())])
    await server.kill()
    const began = Date.now()
    await Promise.all([used.close(), unused.close()])
    expect(Date.now() - began).toBeLessThan(DRIVERS_OWN_MS)
    await server.restart()
  })

  test('the database deletes entries by itself after 30 days', async () => {
    const history = open()
    await history.append([newEntry(newSeller())])
    const connection = await createConnection(server.url, { dbName: 'test' }).asPromise()
    const indexes = await connection.collection('test_history').indexes()
    const ofTime = indexes.find(({ key }) => JSON.stringify(key) === '{"at":1}')
    expect(ofTime?.['expireAfterSeconds']).toBe(HISTORY_KEPT_MS / 1_000)
    await connection.close()
    await history.close()
  })
})

describeWith('durable mongodb', 'history in MongoDB, the server killed under load', () => {
  let server: Awaited<ReturnType<typeof startServer>>
  let history: History
  let busy = true
  beforeAll(async () => {
    server = await startServer({ durable: true })
    history = openMongoHistory({ url: server.url, name: 'test' }, silent)
  })
  afterAll(async () => {
    busy = false
    await history.close()
    await server.end()
  })

  test('every acknowledged entry survives three kills', async () => {
    const sellerId = newSeller()
    const written: string[] = []
    const write = async () => {
      while (busy) {
        const batch = Array.from({ length: 20 }, () => newEntry(sellerId))
        const done = await history.append(batch).then(
          () => true,
          () => false,
        )
        if (done) written.push(...batch.map(({ id }) => id))
        else await pause(50)
      }
    }
    const writers = [1, 2, 3, 4].map(write)
    const untilMore = (count: number) => {
      const before = written.length
      return eventually(() => expect(written.length).toBeGreaterThan(before + count), AFTER_OUTAGE_MS)
    }
    for (let kills = 0; kills < 3; kills++) {
      await untilMore(200)
      await server.kill()
      await server.restart()
    }
    await untilMore(200)
    busy = false
    await Promise.all(writers)
    const missing: string[] = []
    for (const id of written) if (!(await history.get(sellerId, id))) missing.push(id)
    process.stderr.write(`acknowledged ${written.length}, lost ${missing.length}\n`)
    expect(missing).toEqual([])
  })
})
