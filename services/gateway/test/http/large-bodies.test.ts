import { turnOf } from '../../src/http/read-body'

let turn = 0
let counting: NodeJS.Immediate
function count(): void {
  turn += 1
  counting = setImmediate(count)
}
beforeAll(count)
afterAll(() => clearImmediate(counting))

/** The turns of the event loop in which bodies that have arrived together are parsed. */
function turnsOf(bodies: number, bytes: number): Promise<number[]> {
  return Promise.all(Array.from({ length: bodies }, () => turnOf(Buffer.alloc(bytes)).then(() => turn)))
}

test('large bodies that have arrived together are parsed in turns of their own: requests come in between', async () => {
  expect(new Set(await turnsOf(12, 200_000)).size).toBe(12)
})

test('small bodies do not wait for one another', async () => {
  expect(new Set(await turnsOf(12, 1_000)).size).toBe(1)
})
