import { spawnSync } from 'node:child_process'
import { describe, test } from '@jest/globals'
import { missingForKafka } from './kafka'
import { missingForKafkaTools } from './kafka-tools'
import { missingForMongo } from './mongodb'
import { findSecantus } from './secantus'

const MISSING = {
  kafka: missingForKafka,
  'kafka tools': missingForKafkaTools,
  psql: missingForPsql,
  'kafka tools and psql': () => missingForKafkaTools() ?? missingForPsql(),
  mongodb: missingForMongo,
  'durable mongodb': () =>
    findSecantus() === undefined ? 'SecantusDB is not built (npm run engines -- --durable)' : undefined,
}

function missingForPsql(): string | undefined {
  return spawnSync('psql', ['--version']).error ? 'psql is not on the PATH' : undefined
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
