import { currentCall, newCall, runCall } from '@cofre/platform/grpc/call-context'
import { eventually } from '@cofre/testing/testing'
import { batched } from '../../src/sweepers/batched'

/** Work that waits until it is let go, with the batches that it was given. */
function heldWork() {
  const batches: number[][] = []
  const held: (() => void)[] = []
  const work = async (items: readonly number[]) => {
    batches.push([...items])
    await new Promise<void>((resolve) => held.push(resolve))
    return items.map((item) => item * 10)
  }
  const letGo = async () => {
    held.shift()?.()
    await new Promise(setImmediate)
  }
  return { batches, work, letGo }
}

test('a lone asker is served at once; others gather meanwhile, and each gets its own answer', async () => {
  const { batches, work, letGo } = heldWork()
  const ask = batched({ atOnce: 3, inParallel: 1 }, work)
  const first = ask(1)
  await new Promise(setImmediate)
  const others = [2, 3, 4, 5].map(ask)
  expect(batches).toEqual([[1]])
  await letGo()
  expect(await first).toBe(10)
  expect(batches).toEqual([[1], [2, 3, 4]])
  await letGo()
  await letGo()
  expect(await Promise.all(others)).toEqual([20, 30, 40, 50])
  expect(batches).toEqual([[1], [2, 3, 4], [5]])
})

test('a batch that waits for a lock does not hold up later askers', async () => {
  const { batches, work, letGo } = heldWork()
  const ask = batched({ atOnce: 3, inParallel: 2, heldUpMs: 5 }, work)
  const asked = [ask(1)]
  await new Promise(setImmediate)
  asked.push(ask(2))
  await eventually(() => expect(batches).toHaveLength(2))
  expect(batches).toEqual([[1], [2]])
  await letGo()
  await letGo()
  expect(await Promise.all(asked)).toEqual([10, 20])
})

test('an asker that comes while a batch is held up is served at once, within the parallel limit', async () => {
  const { batches, work, letGo } = heldWork()
  const ask = batched({ atOnce: 3, inParallel: 2, heldUpMs: 5 }, work)
  const asked = [ask(1)]
  await new Promise((resolve) => setTimeout(resolve, 20))
  asked.push(ask(2))
  await eventually(() => expect(batches).toHaveLength(2))
  asked.push(ask(3))
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(batches).toEqual([[1], [2]])
  await letGo()
  await letGo()
  await letGo()
  expect(await Promise.all(asked)).toEqual([10, 20, 30])
  expect(batches).toEqual([[1], [2], [3]])
})

test('while a batch is quick, no other runs beside it', async () => {
  const { batches, work, letGo } = heldWork()
  const ask = batched({ atOnce: 3, inParallel: 2, heldUpMs: 60_000 }, work)
  const asked = [ask(1)]
  await new Promise(setImmediate)
  asked.push(ask(2), ask(3))
  await new Promise(setImmediate)
  expect(batches).toEqual([[1]])
  await letGo()
  await letGo()
  expect(await Promise.all(asked)).toEqual([10, 20, 30])
  expect(batches).toEqual([[1], [2, 3]])
})

test('when the work fails for several, each is tried by itself, and only a lone failure is an error', async () => {
  const ask = batched({ atOnce: 10, inParallel: 1 }, async (items: readonly number[]) => {
    if (items.includes(2)) throw new Error('not this one')
    return items
  })
  const outcomes = await Promise.allSettled([1, 2, 3].map(ask))
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(await ask(4)).toBe(4)
})

test('work that is done for many belongs to the trace of none', async () => {
  const seen: unknown[] = []
  const ask = batched({ atOnce: 3, inParallel: 1 }, async (items: readonly number[]) => {
    seen.push(currentCall())
    return items
  })
  await runCall(newCall({ timeoutMs: 1_000 }), () => ask(1))
  expect(seen).toEqual([undefined])
})
