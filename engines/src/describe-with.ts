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
 * Whether tests fail without this engine: REQUIRE_ENGINES=1 asks for all of them, except for those that ENGINES_NOT_HAD
 * names, separated by blanks. No registry gave these.
 */
export function isRequired(engine: string): boolean {
  const notHad = (process.env['ENGINES_NOT_HAD'] ?? '').split(' ').filter((name) => name !== '')
  return process.env['REQUIRE_ENGINES'] === '1' && !notHad.some((name) => engine.includes(name))
}

/**
 * Describes tests that need an engine. Without it, they are reported as skipped. A required one fails instead, except
 * the engine that takes ten minutes to build.
 */
export function describeWith(engine: keyof typeof MISSING, name: string, tests: () => void): void {
  const missing = MISSING[engine]()
  if (missing === undefined) return describe(name, tests)
  if (!isRequired(engine) || engine === 'durable mongodb') {
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
