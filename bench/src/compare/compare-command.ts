import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { Argument, Command } from 'commander'
import { HOT_PATHS } from '../hot-paths'
import { wholeNumber } from '../whole-number'
import { compare, type CompareOptions } from './compare'
import { compareReport, rowsOf, statementsReport } from './compare-report'

type Options = Omit<CompareOptions, 'profileDir'> & { json: boolean; statements: boolean; profile?: string }

/** Returns the command; `done` learns whether every call succeeded. */
export function compareCommand(done: (succeeded: boolean) => void): Command {
  return new Command('compare')
    .description(
      'Measures processor time a call by process of this checkout and, by turns, of another one that is built.',
    )
    .addArgument(
      new Argument('[paths...]', 'the paths to call; all without a name').choices(
        HOT_PATHS.map(({ name }) => name),
      ),
    )
    .option('--before <dir>', 'the other checkout; without it this one alone')
    .option('--rounds <n>', 'rounds of each path, by turns', wholeNumber, 5)
    .option('--calls <n>', 'calls in a round', wholeNumber, 300)
    .option('--clients <n>', 'calls at once', wholeNumber, 4)
    .option('--charges <n>', 'charges that are there before', wholeNumber, 10_000)
    .option('--json', 'medians and every round as JSON, in place of the table', false)
    .option('--statements', 'also each statement of PostgreSQL in this checkout', false)
    .option(
      '--profile <dir>',
      'every program of this checkout writes a CPU profile there (it costs some speed)',
    )
    .action(async (paths: string[], { json, statements, profile, ...options }: Options) => {
      if (profile !== undefined) mkdirSync(profile, { recursive: true })
      const plan = profile === undefined ? options : { ...options, profileDir: resolve(profile) }
      const startedAt = performance.now()
      const compared = await compare(paths, plan, (text) => {
        const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0)
        process.stderr.write(`${seconds.padStart(5)} s  ${text}\n`)
      })
      const rows = rowsOf(compared)
      const table = statements
        ? [compareReport(compared), statementsReport(compared)]
        : [compareReport(compared)]
      const text = json ? JSON.stringify({ rows, rounds: compared }, null, 2) : table.join('\n\n')
      process.stdout.write(`${text}\n`)
      done(rows.every(({ firstFailure }) => firstFailure === null))
    })
}
