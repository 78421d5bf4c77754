import { cycleOf } from '../../src/pix/automatic/cycle'
import type { Rec } from '../../src/pix/automatic/rec'

test.each([
  ['SEMANAL', '2049-01-01', '2049-01-07', 0],
  ['SEMANAL', '2049-01-01', '2049-01-08', 1],
  ['MENSAL', '2049-01-31', '2049-02-27', 0],
  ['MENSAL', '2049-01-31', '2049-02-28', 1],
  ['MENSAL', '2049-01-15', '2050-01-14', 11],
  ['TRIMESTRAL', '2049-01-15', '2049-07-15', 2],
  ['SEMESTRAL', '2049-01-15', '2049-07-14', 0],
  ['ANUAL', '2049-02-28', '2051-02-28', 2],
])('of a %s permission from %s on, %s is in cycle %i', (periodicidade, dataInicial, day, cycle) => {
  const terms = { calendario: { dataInicial, periodicidade } }
  expect(cycleOf({ terms } as unknown as Rec, day)).toBe(cycle)
})
