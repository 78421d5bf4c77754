import { tellSome } from '../../src/telemetry/bounded-log'

test('the first lines are logged, then one a second, with the number of lines left out', () => {
  let now = 0
  const told: object[] = []
  const tell = tellSome(
    (details) => told.push(details),
    () => now,
  )
  for (let nth = 0; nth < 100; nth++) tell({ nth })
  expect(told).toHaveLength(20)
  now += 1_000
  tell({ nth: 100 })
  tell({ nth: 101 })
  expect(told.slice(20)).toEqual([{ nth: 100, omitted: 80 }])
  now += 3_600_000
  for (let nth = 0; nth < 100; nth++) tell({ nth })
  expect(told).toHaveLength(41)
  expect(told[21]).toEqual({ nth: 0, omitted: 1 })
})
