import { randomUUID } from 'node:crypto'
import { eventually } from '@cofre/testing/testing'
import { HISTORY_KEPT_MS, type History, type HistoryEntry } from '../src/history/history'

/** One store, as an adapter's test sets it up. */
export type HistoryUnderTest = {
  /** Opens the store as another process would. */
  open(): Promise<History>
  end(): Promise<void>
}

let lastSeller = 0
/** A seller that no other test of the file uses. */
export function newSeller(): number {
  return (lastSeller += 1)
}

export function newEntry(sellerId: number, change: Partial<HistoryEntry> = {}): HistoryEntry {
  const facts = { method: 'POST', status: 201 }
  return { id: randomUUID(), at: Date.now(), sellerId, subject: 'req_1', facts, detail: '{}', ...change }
}

/** The promises of every adapter of History; each adapter's test runs them. */
export function keepsTheContract(start: () => Promise<HistoryUnderTest>): void {
  let underTest: HistoryUnderTest
  let history: History
  let sellerId: number
  beforeAll(async () => {
    underTest = await start()
    history = await underTest.open()
  })
  afterAll(async () => {
    await history.close()
    await underTest.end()
  })
  beforeEach(() => {
    sellerId = newSeller()
  })
  const find = async (query: Partial<Parameters<History['find']>[0]> = {}) => {
    const { entries, total } = await history.find({ sellerId, page: 0, size: 10, ...query })
    return { ids: entries.map(({ id }) => id), total }
  }

  test('an entry is read as it was written, whatever it holds', async () => {
    const detail = JSON.stringify({
      'a.b': { $set: `ação ✓ 😀 " ' \\ \n \u2028 \0 \ud800` },
      long: 'x'.repeat(50_000),
    })
    const entry = newEntry(sellerId, {
      at: Date.now() - 1,
      facts: { method: 'PUT', status: 422, code: '' },
      detail,
    })
    await history.append([entry])
    expect(await history.get(sellerId, entry.id)).toEqual(entry)
    expect(await history.find({ sellerId, page: 0, size: 10 })).toEqual({
      entries: [entry],
      total: 1,
      totalIsLowerBound: false,
      more: false,
      place: `${entry.at}000`,
    })
  })

  test('an entry that is written again stays one entry, alone and among new ones', async () => {
    const [first, second] = [newEntry(sellerId), newEntry(sellerId)]
    await history.append([first])
    await history.append([first])
    await history.append([{ ...first, detail: '{"other":1}' }, second])
    await history.append([])
    expect((await find()).total).toBe(2)
    expect(await history.get(sellerId, first.id)).toEqual(first)
    expect(await history.get(sellerId, second.id)).toEqual(second)
  })

  test('a page goes on at the place where the last one ended, though its last entry was forgotten', async () => {
    const now = Date.now()
    const entries = [4, 3, 2, 1].map((id) =>
      newEntry(sellerId, { id: `${sellerId}-${id}`, at: now - (id % 2) }),
    )
    await history.append(entries)
    const query = { sellerId, page: 0, size: 1 }
    const { place, ...page } = await history.find(query)
    expect(page.entries.map(({ id }) => id)).toEqual([`${sellerId}-4`])
    // What is forgotten was last among the entries of its moment.
    expect(await find({ after: `${sellerId}-3z`, place })).toMatchObject({
      ids: [2, 3, 1].map((id) => `${sellerId}-${id}`),
    })
    await expect(find({ place })).rejects.toMatchObject({ kind: 'invalid_argument' })
    await expect(find({ after: 'x', place: 'soon' })).rejects.toMatchObject({ kind: 'invalid_argument' })
  })

  test('pages are newest first and carry the total', async () => {
    const now = Date.now()
    const ages = [5, 3, 1, 2, 4, 3]
    const entries = ages.map((age, at) =>
      newEntry(sellerId, { id: `${sellerId}-${at}`, at: now - age * 1_000 }),
    )
    await history.append(entries)
    const inOrder = [2, 3, 5, 1, 4, 0].map((at) => `${sellerId}-${at}`)
    expect(await find()).toEqual({ ids: inOrder, total: 6 })
    expect(await find({ page: 1, size: 2 })).toEqual({ ids: inOrder.slice(2, 4), total: 6 })
    expect(await find({ after: inOrder[3], size: 1 })).toEqual({ ids: inOrder.slice(4, 5), total: 6 })
    expect(await find({ after: inOrder[4], page: 9 })).toEqual({ ids: inOrder.slice(5), total: 6 })
    await expect(find({ after: 'never-written' })).rejects.toMatchObject({ kind: 'invalid_argument' })
    expect(await find({ page: 1 })).toEqual({ ids: [], total: 6 })
  })

  test('filters by subject, by facts and by time, all at once', async () => {
    const at = Date.now() - 60_000
    const entries = [
      newEntry(sellerId, { at, subject: 'req_a', facts: { method: 'GET', status: 200 } }),
      newEntry(sellerId, { at: at + 1, subject: 'req_b', facts: { method: 'GET', status: 404 } }),
      newEntry(sellerId, { at: at + 2, subject: 'req_b', facts: { method: 'POST', status: 404 } }),
      newEntry(sellerId, { at: at + 3, subject: 'req_c', facts: { method: 'POST', status: 201 } }),
    ]
    await history.append(entries)
    const found = async (query: Parameters<typeof find>[0]) =>
      (await find(query)).ids
        .map((id) => entries.findIndex((entry) => entry.id === id))
        .sort((one, other) => one - other)
    expect(await found({ subject: 'req_b' })).toEqual([1, 2])
    expect(await found({ facts: { status: [404, 201] } })).toEqual([1, 2, 3])
    expect(await found({ facts: { method: ['GET'], status: [404] } })).toEqual([1])
    expect(await found({ facts: { method: ['PUT'] } })).toEqual([])
    expect(await found({ facts: { code: ['X'] } })).toEqual([])
    expect(await found({ from: at + 1, to: at + 2 })).toEqual([1, 2])
    expect(await found({ from: at + 1, facts: { status: [200, 201] } })).toEqual([3])
  })

  test("another seller's entry is not there", async () => {
    const entry = newEntry(newSeller())
    await history.append([entry])
    expect(await history.get(sellerId, entry.id)).toBeUndefined()
    expect(await find({ subject: entry.subject })).toEqual({ ids: [], total: 0 })
    expect(await history.get(sellerId, 'never-written')).toBeUndefined()
  })

  test('entries older than 30 days are not shown', async () => {
    const old = newEntry(sellerId, { at: Date.now() - HISTORY_KEPT_MS - 1_000 })
    const kept = newEntry(sellerId, { at: Date.now() - HISTORY_KEPT_MS + 60_000 })
    await history.append([old, kept])
    expect(await find({ from: 0 })).toEqual({ ids: [kept.id], total: 1 })
    expect(await history.get(sellerId, old.id)).toBeUndefined()
  })

  test('when several processes write at once, every entry is there once', async () => {
    const others = await Promise.all([underTest.open(), underTest.open(), underTest.open()])
    const batches = Array.from({ length: 12 }, () => Array.from({ length: 20 }, () => newEntry(sellerId)))
    // On a busy machine the store may answer `unavailable`. A writer then tries again, as the product's writers do.
    const write = (by: number, entries: HistoryEntry[]) => eventually(() => others[by % 3]?.append(entries))
    await Promise.all(batches.flatMap((batch, at) => [write(at, batch), write(at + 1, batch.slice(10))]))
    expect((await eventually(find)).total).toBe(240)
    await Promise.all(others.map((other) => other.close()))
  })
}
