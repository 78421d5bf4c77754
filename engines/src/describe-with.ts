import { describe, test } from '@jest/globals'
import { missingForKafka } from './kafka'
import { missingForMongo } from './mongodb'
import { findSecantus } from './secantus'

const MISSING = {
  kafka: missingForKafka,
  mongodb: missingForMongo,
  'durable mongodb': () =>
    findSecantus() === undefined ? 'SecantusDB is not built (npm run engines -- --durable)' : undefined,
}

/**
 * A group of tests that need an engine. Where it is missing they are named as skipped; with REQUIRE_ENGINES=1 that is
 * a failure, but for the one that takes ten minutes to build.
 */
export function describeWith(engine: keyof typeof MISSING, name: string, tests: () => void): void {
  const missing = MISSING[engine]()
  if (missing === undefined) return describe(name, tests)
  if (process.env['REQUIRE_ENGINES'] !== '1' || engine === 'durable mongodb') {
    // With many files Jest says only how many it skipped.
    process.stderr.write(`skipped: ${name}: ${missing}\n`)
    return describe.skip(name, tests)
  }
  describe(name, () => {
    test('has its engine', () => {
      throw new Error(missing)
    })
  })
}
