import { Writable } from 'node:stream'
import { unavailable } from '../src/errors'
import type { History, HistoryEntry } from '../src/history/history'
import { recordHistory } from '../src/history/history-recorder'
import { createLog } from '../src/telemetry/log'
import { eventually } from '@cofre/testing/testing'
import { newEntry } from './history-contract'

/** A store in memory that can be away, hang, or refuse an entry. */
function startStore() {
  const kept = new Map<string, HistoryEntry>()
  const batches: number[] = []
  const store = { kept, batches, state: 'well' as 'well' | 'away' | 'hangs', refused: '' }
  const append = async (entries: readonly HistoryEntry[]) => {
    if (store.state === 'hangs') await new Promise(() => {})
    if (store.state === 'away') throw unavailable('away')
    if (entries.some(({ id }) => id === store.refused)) throw new Error('refused')
    batches.push(entries.length)
    for (const entry of entries) kept.set(entry.id, entry)
  }
  const history: History = {
    append,
    find: async () => ({ entries: [], total: 0, totalIsLowerBound: false, more: false }),
    get: async () => undefined,
    close: async () => {},
  }
  return Object.assign(store, { history })
}

function startRecorder(bounds?: Parameters<typeof recordHistory>[2]) {
  const store = startStore()
  const lines: { msg: string }[] = []
  const sink = new Writable({
    write: (chunk, _encoding, done) => (lines.push(JSON.parse(String(chunk))), done()),
  })
  const recorder = recordHistory(store.history, createLog('test', 'info', sink), bounds)
  return { store, recorder, said: () => lines.map(({ msg }) => msg) }
}
const entries = (count: number) => Array.from({ length: count }, () => newEntry(1))

test('entries are written a moment after they are recorded, many at once', async () => {
  const { store, recorder, said } = startRecorder()
  for (const entry of entries(450)) recorder.record(entry)
  await eventually(() => expect(store.kept.size).toBe(450))
  expect(store.batches.length).toBeLessThan(10)
  expect(recorder.counts()).toEqual({ waiting: 0, lost: 0 })
  expect(said()).toEqual([])
  await recorder.stop()
})

test('while the store is away entries wait, none is lost, and one line says so', async () => {
  const { store, recorder, said } = startRecorder()
  store.state = 'away'
  for (const entry of entries(300)) recorder.record(entry)
  await eventually(() => expect(said()).toEqual(['history not written yet']))
  store.state = 'well'
  await eventually(() => expect(store.kept.size).toBe(300))
  await eventually(() => expect(said()).toEqual(['history not written yet', 'writing history works again']))
  await recorder.stop()
})

test.each([
  ['entries', { entries: 50, characters: 1_000_000 }],
  ['characters', { entries: 1_000, characters: 50 * ('req_1'.length + '{}'.length) }],
])('memory is bounded by %s: later entries are lost, counted and logged once', async (_what, bounds) => {
  const { store, recorder, said } = startRecorder(bounds)
  store.state = 'away'
  for (const entry of entries(200)) recorder.record(entry)
  expect(recorder.counts()).toEqual({ waiting: 50, lost: 150 })
  for (const entry of entries(50)) recorder.record(entry)
  expect(said()).toEqual(['history is being lost'])
  store.state = 'well'
  await eventually(() => expect(store.kept.size).toBe(50))
  await eventually(() => expect(said()).toEqual(['history is being lost', 'writing history works again']))
  const [after] = entries(1)
  if (after) recorder.record(after)
  await eventually(() => expect(store.kept.size).toBe(51))
  expect(recorder.counts()).toEqual({ waiting: 0, lost: 200 })
  await recorder.stop()
})

test('an entry that the store refuses holds up nothing', async () => {
  const { store, recorder, said } = startRecorder()
  const made = entries(20)
  store.refused = made[7]?.id ?? ''
  for (const entry of made) recorder.record(entry)
  await eventually(() => expect(store.kept.size).toBe(19))
  await eventually(() => expect(recorder.counts()).toEqual({ waiting: 0, lost: 1 }))
  expect(said()).toEqual(['a history entry was refused'])
  await recorder.stop()
})

test('stopping writes the waiting entries', async () => {
  const { store, recorder } = startRecorder()
  for (const entry of entries(1_000)) recorder.record(entry)
  await recorder.stop()
  expect(store.kept.size).toBe(1_000)
})

test('stopping does not wait for a store that hangs, and logs the loss', async () => {
  const { store, recorder, said } = startRecorder()
  store.state = 'hangs'
  for (const entry of entries(10)) recorder.record(entry)
  await recorder.stop()
  expect(recorder.counts().lost).toBe(10)
  expect(said()).toEqual(['history is being lost'])
})
