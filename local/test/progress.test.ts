import { tellProgress } from '../src/terminal/progress'

beforeEach(() => jest.useFakeTimers())
afterEach(() => jest.useRealTimers())

test('each step is shown at once, and again while it lasts, until the next step or the end', () => {
  const lines: string[] = []
  const progress = tellProgress((line) => void lines.push(line))
  progress.step('Starting PostgreSQL')
  expect(lines).toEqual(['Starting PostgreSQL …'])
  jest.advanceTimersByTime(6_000)
  expect(lines.slice(1)).toEqual([
    '  still working: starting PostgreSQL (3 s)',
    '  still working: starting PostgreSQL (6 s)',
  ])
  progress.step('Creating the demo sellers')
  jest.advanceTimersByTime(3_000)
  expect(lines.slice(3)).toEqual([
    'Creating the demo sellers …',
    '  still working: creating the demo sellers (3 s)',
  ])
  progress.end()
  jest.advanceTimersByTime(60_000)
  expect(lines).toHaveLength(5)
})
