import { manyAtOnce, type ManyAtOnce } from '../../src/service/many-at-once'
import { eventually } from '@cofre/testing/testing'

let many: ManyAtOnce<string> | undefined
let finish = new Map<string, () => void>()
beforeEach(() => void (finish = new Map()))
afterEach(async () => {
  const stopped = many?.stop()
  for (const end of finish.values()) end()
  await stopped
})

/** Works on two due items at once; each is in hand until the test finishes it. */
function start(due: string[], onFree = () => {}) {
  const begun: string[] = []
  const asked: number[] = []
  const work = (item: string) => {
    begun.push(item)
    return new Promise<void>((resolve) => finish.set(item, resolve))
  }
  const take = async (room: number, inHand: readonly (string | number)[]) => {
    asked.push(room)
    const taken = due.filter((item) => !inHand.includes(item)).slice(0, room)
    for (const item of taken) due.splice(due.indexOf(item), 1)
    return taken
  }
  const fail = (error: unknown) => {
    throw error
  }
  many = manyAtOnce({ atOnce: 2, nameOf: (item) => item, take, work, onFree }, 1, fail)
  return { many, begun, asked }
}

test('a limited number is in hand at once, and the next is taken when one is finished', async () => {
  const { begun } = start(['a', 'b', 'c'])
  await eventually(() => expect(begun).toEqual(['a', 'b']))
  finish.get('b')?.()
  await eventually(() => expect(begun).toEqual(['a', 'b', 'c']))
})

test('an item in hand takes one place, and is taken again when it is finished', async () => {
  const due = ['a']
  const { begun } = start(due)
  await eventually(() => expect(begun).toEqual(['a']))
  due.push('a', 'a', 'b')
  await eventually(() => expect(begun).toEqual(['a', 'b']))
  finish.get('a')?.()
  await eventually(() => expect(begun).toEqual(['a', 'b', 'a']))
})

test('an item that is taken twice is begun once', async () => {
  const { begun } = start(['a', 'a'])
  await eventually(() => expect(begun).toEqual(['a']))
  finish.get('a')?.()
  await new Promise(setImmediate)
  expect(begun).toEqual(['a'])
})

test('an item is begun beside those taken while there is room, and a freed place is reported', async () => {
  let freed = 0
  const { many: hands, begun, asked } = start([], () => (freed += 1))
  expect([hands.begin('a'), hands.begin('a'), hands.begin('b'), hands.begin('c')]).toEqual([
    true,
    true,
    true,
    false,
  ])
  expect([hands.begin('a'), begun, freed]).toEqual([true, ['a', 'b'], 0])
  finish.get('a')?.()
  await eventually(() => expect(freed).toBe(1))
  expect(hands.begin('c')).toBe(true)
  expect(Math.min(...asked)).toBeGreaterThan(0)
})

test('stopping waits for the items in hand, and takes no more', async () => {
  const due = ['a']
  const { many: hands, begun } = start(due)
  await eventually(() => expect(begun).toEqual(['a']))
  let stopped = false
  const stopping = hands.stop().then(() => (stopped = true))
  due.push('b')
  await new Promise(setImmediate)
  expect(stopped).toBe(false)
  finish.get('a')?.()
  await stopping
  expect(begun).toEqual(['a'])
})
