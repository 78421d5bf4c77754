import { boletosReport, boletosResult } from '../src/boletos/measure-boletos'

const drawn = (times: number[]) => boletosResult({ firstMs: 80, times, cpuTimes: [7, 8, 9], bytes: 4_500 }, 1)

test('the median of the slips decides whether the budget is kept', () => {
  expect(drawn([10, 50, 400])).toMatchObject({ count: 3, p50: 50, p99: 400, kept: true })
  expect(boletosReport(drawn([10, 50, 400]))).toContain('| 50.0 | 400.0 | 8.0 | 9.0 | 80 | 4.5 | kept |')
  const slow = drawn([50.1, 50.1, 1])
  expect(slow.kept).toBe(false)
  expect(boletosReport(slow)).toContain('**missed**')
})
