import { openTurns } from '../../src/consumers/turns'

test('work under one name is done in turn, also after work that failed, and other work beside it', async () => {
  const inTurn = openTurns()
  const done: string[] = []
  let fail: (error: Error) => void = () => {}
  const first = inTurn('a', () => new Promise((_resolve, reject) => (fail = reject)))
  const second = inTurn('a', async () => void done.push('second'))
  await inTurn('b', async () => void done.push('beside'))
  expect(done).toEqual(['beside'])
  fail(new Error('it failed'))
  await expect(first).rejects.toThrow('it failed')
  await second
  expect(done).toEqual(['beside', 'second'])
})
