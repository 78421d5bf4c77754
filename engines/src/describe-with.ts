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
 * Describes tests that need an engine. Without it, they are reported as skipped. With REQUIRE_ENGINES=1 they fail
 * instead, except those of the engine that takes ten minutes to build.
 */
export function describeWith(engine: keyof typeof MISSING, name: string, tests: () => void): void {
  const missing = MISSING[engine]()
  if (missing === undefined) return describe(name, tests)
  if (process.env['REQUIRE_ENGINES'] !== '1' || engine === 'durable mongodb') {
    // With many files, Jest shows only the number of skipped tests.
    process.stderr.write(`skipped: ${name}: ${missing}\n`)
    return describe.skip(name, tests)
  }
  describe(name, () => {
    test('has its engine', () => {
      throw new Error(missing)
    })
  })
}
