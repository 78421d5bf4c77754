import { describe, test } from '@jest/globals'
import { missingForKafka } from './kafka'

const MISSING: Record<string, () => string | undefined> = { kafka: missingForKafka }

/**
 * A group of tests that need an engine. Where it is missing they are named as skipped; with REQUIRE_ENGINES=1 that is
 * a failure.
 */
export function describeWith(engine: string, name: string, tests: () => void): void {
  const missing = MISSING[engine]?.()
  if (missing === undefined) return describe(name, tests)
  if (process.env['REQUIRE_ENGINES'] !== '1') return describe.skip(`${name} (skipped: ${missing})`, tests)
  describe(name, () => {
    test('has its engine', () => {
      throw new Error(missing)
    })
  })
}
