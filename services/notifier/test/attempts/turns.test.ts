import { openTurns } from '../../src/consumers/turns'

test('work for one seller runs in turn, even after a failure, and work for others runs beside it', async () => {
  const inTurn = openTurns()
  const done: string[] = []
  const noted = (name: string) => async () => done.push(name)
  let fail: (error: Error) => void = () => {}
  const first = inTurn(1, () => new Promise((_resolve, reject) => (fail = reject)))
  const second = inTurn(1, noted('second'))
  await inTurn(2, noted('beside'))
  expect(done).toEqual(['beside'])
  fail(new Error('it failed'))
  await expect(first).rejects.toThrow('it failed')
  await second
  expect(done).toEqual(['beside', 'second'])
})

test('work that waited for its turn learns how many messages its own seller got meanwhile', async () => {
  const inTurn = openTurns()
  const seen: number[] = []
  const deliver = (count: number) => async (meanwhile: number) => {
    seen.push(meanwhile)
    return count
  }
  const answers = await Promise.all([
    inTurn(1, deliver(5)),
    inTurn(1, deliver(7)),
    inTurn(1, deliver(2)),
    inTurn(2, deliver(3)),
  ])
  expect(seen).toEqual([0, 0, 5, 12])
  expect(answers).toEqual([5, 12, 14, 3])
  expect(await inTurn(1, deliver(1))).toBe(1)
})
