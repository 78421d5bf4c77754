import { join } from 'node:path'
import { compare } from '../src/compare/compare'
import { compareReport } from '../src/compare/compare-report'
import { HOT_PATHS } from '../src/hot-paths'

// Times mean little on a busy machine; every path must succeed in both checkouts.
test('every path is called by turns in two checkouts', async () => {
  const plan = { before: join(__dirname, '../..'), rounds: 2, calls: 2, clients: 2, charges: 100 }
  const compared = await compare([], plan, () => {})
  expect(compared.map(({ path }) => path)).toEqual(HOT_PATHS.map(({ name }) => name))
  for (const { rounds } of compared) {
    expect(rounds.map(({ before, after }) => [before?.firstFailure, after?.firstFailure])).toEqual([
      [undefined, undefined],
      [undefined, undefined],
    ])
  }
  expect(compareReport(compared)).not.toMatch(/NaN|undefined|Infinity/)
})
