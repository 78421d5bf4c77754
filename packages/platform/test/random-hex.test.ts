import { randomHex } from '../src/random-hex'

test('ids are as long as asked for, and no two are the same, whichever pool they are drawn from', () => {
  const ids = Array.from({ length: 5_000 }, () => randomHex(12))
  expect(ids.filter((id) => !/^[0-9a-f]{24}$/.test(id))).toEqual([])
  expect(new Set(ids).size).toBe(ids.length)
})
