// Tells chance from fault in a run of the tests: each file that failed runs once more, alone.
import { appendFileSync } from 'node:fs'
import { relative } from 'node:path'
import { parseArgs } from 'node:util'
import { failuresOf, Fault, filesOf, jest, linesOf, listTests, namesOf, readResult } from './jest-result.mjs'
import { testSeed } from '../packages/testing/dist/random.js'

const HELP = `node scripts/again.mjs --result FILE --config FILE --code N [options]

Judges a run of Jest. A test that fails once in ten thousand runs must not refuse a change, and must not be forgotten.
Outside of CI it needs the TEST_SEED that the run said.

  --result FILE    what \`jest --config CONFIG --json --outputFile FILE\` wrote
  --config FILE    the configuration of that run
  --code N         the exit code of that run
  --most N         files that may fail: more are no chance, and none runs again (8)
  --unsteady FILE  gets what failed at first and passed alone, at its end
  --help

Exit code 0: every file ran, and each passed, at first or alone. Exit code 1: one failed twice, too many failed, some did
not run, or the run itself broke.
`

const say = (text) => void process.stdout.write(`${text}\n`)

function readOptions() {
  const { values } = parseArgs({
    options: {
      result: { type: 'string' },
      config: { type: 'string' },
      code: { type: 'string' },
      most: { type: 'string', default: '8' },
      unsteady: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) {
    process.stdout.write(HELP)
    process.exit(0)
  }
  const { result, config, unsteady } = values
  const [code, most] = [values.code, values.most].map(Number)
  if (!result || !config || !Number.isInteger(code) || !Number.isInteger(most))
    throw new Fault(`--result, --config, --code and --most are needed\n\n${HELP}`)
  if (!process.env.CI && !process.env.TEST_SEED) throw new Fault('TEST_SEED is needed, as the run said it')
  return { result, config, unsteady, code, most }
}

/** The tests of a file that failed, with their messages and the seed of the run. */
function textOf(file) {
  const lines = failuresOf(file).flatMap(({ test, message }) => [
    `    ${test}`,
    ...linesOf(message).map((line) => `      ${line}`),
  ])
  return [namesOf([file.name]), ...lines, `    drawn with TEST_SEED=${testSeed()}`].join('\n')
}

function judge(options) {
  const { result, config, code, most, unsteady } = options
  const files = readResult(result, listTests(config))
  const red = files.filter(({ status }) => status === 'failed')
  if (red.length === 0) {
    if (code === 0) return
    throw new Fault(`no file failed, and yet the run ended with ${code}: a start or an end of it broke`)
  }
  const names = red.map(({ name }) => name)
  if (red.length > most) throw new Fault(`${filesOf(red)} failed, more than ${most}:\n${namesOf(names)}`)
  const twice = []
  for (const file of red) {
    say(`again, alone: ${relative('.', file.name)}`)
    const second = jest(config, '--runInBand', '--runTestsByPath', file.name)
    if (second.status === 0) {
      if (unsteady) appendFileSync(unsteady, `${textOf(file)}\n`)
      say(`failed at first, passed alone:\n${textOf(file)}`)
    } else {
      twice.push(file.name)
      say(`${textOf(file)}\nand alone (exit code ${second.status}):\n${second.stderr}`)
    }
  }
  if (twice.length > 0) throw new Fault(`${filesOf(twice)} failed twice:\n${namesOf(twice)}`)
}

try {
  judge(readOptions())
} catch (error) {
  if (!(error instanceof Fault)) throw error
  say(`FAULT: ${error.message}`)
  process.exitCode = 1
}
