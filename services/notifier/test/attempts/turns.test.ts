import { openTurns } from '../../src/consumers/turns'

test('work for one seller is done in turn, also after work that failed, and that for others beside it', async () => {
  const inTurn = openTurns()
  const done: string[] = []
  let fail: (error: Error) => void = () => {}
  const first = inTurn(1, () => new Promise((_resolve, reject) => (fail = reject)))
  const second = inTurn(1, async () => void done.push('second'))
  await inTurn(2, async () => void done.push('beside'))
  expect(done).toEqual(['beside'])
  fail(new Error('it failed'))
  await expect(first).rejects.toThrow('it failed')
  await second
  expect(done).toEqual(['beside', 'second'])
})
