// Tells chance from fault in a run of the tests: each file that failed runs once more, alone.
import { spawnSync } from 'node:child_process'
import { appendFileSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parseArgs, stripVTControlCharacters } from 'node:util'

const JEST = join(import.meta.dirname, '../node_modules/jest/bin/jest.js')
/** No file takes so long alone, not even on a machine that is three times slower. */
const ALONE_MAX_MS = 20 * 60_000
/** A message may hold a whole page: of each, so many lines are shown, and so much of each line. */
const LINES_SHOWN = 40
const LINE_MAX = 400
const OUTPUT_MAX_BYTES = 2 ** 28
const HELP = `node scripts/again.mjs --result FILE --config FILE --code N [options]

Judges a run of Jest. A test that fails once in ten thousand runs must not refuse a change, and must not be forgotten.

  --result FILE    what \`jest --config CONFIG --json --outputFile FILE\` wrote
  --config FILE    the configuration of that run
  --code N         the exit code of that run
  --most N         files that may fail: more are no chance, and none runs again (8)
  --unsteady FILE  gets what failed at first and passed alone, at its end
  --help

Exit code 0: every file ran, and each passed, at first or alone. Exit code 1: one failed twice, too many failed, some did
not run, or the run itself broke.
`

/** Why the run is a fault. */
class Fault extends Error {}

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
  return { result, config, unsteady, code, most }
}

function jest(config, ...args) {
  return spawnSync(process.execPath, ['--no-warnings', JEST, '--config', config, ...args], {
    encoding: 'utf8',
    maxBuffer: OUTPUT_MAX_BYTES,
    timeout: ALONE_MAX_MS,
  })
}

/** The result of the run, which must have run every file that its configuration names. */
function readResult({ result, config }) {
  let run
  try {
    run = JSON.parse(readFileSync(result, 'utf8'))
  } catch {
    throw new Fault(`the run wrote no result to ${result}: it broke or was killed`)
  }
  if (run.wasInterrupted) throw new Fault('the run was interrupted')
  const listed = jest(config, '--listTests')
  if (listed.status !== 0) throw new Fault(`the tests can't be listed\n${listed.stderr}`)
  const ran = new Set(run.testResults.map(({ name }) => name))
  const missing = listed.stdout.split('\n').filter((name) => name !== '' && !ran.has(name))
  if (missing.length > 0) throw new Fault(`${filesOf(missing)} did not run:\n${namesOf(missing)}`)
  return run.testResults
}

const filesOf = (paths) => `${paths.length} ${paths.length === 1 ? 'file' : 'files'}`
const namesOf = (paths) => paths.map((path) => `  ${relative('.', path)}`).join('\n')

/** The tests of a file that failed, with their messages. A message holds the seed of a test that draws. */
function failuresOf({ name, message, assertionResults }) {
  const failed = assertionResults.filter(({ status }) => status === 'failed')
  const shown = (text) =>
    stripVTControlCharacters(text)
      .split('\n')
      .slice(0, LINES_SHOWN)
      .map((line) => `      ${line.slice(0, LINE_MAX)}`)
  const lines = failed.flatMap(({ fullName, failureMessages }) => [
    `    ${fullName}`,
    ...shown(failureMessages[0] ?? ''),
  ])
  return [namesOf([name]), ...(failed.length > 0 ? lines : shown(message))].join('\n')
}

function judge(options) {
  const { config, code, most, unsteady } = options
  const files = readResult(options)
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
      if (unsteady) appendFileSync(unsteady, `${failuresOf(file)}\n`)
      say(`failed at first, passed alone:\n${failuresOf(file)}`)
    } else {
      twice.push(file.name)
      say(`${failuresOf(file)}\nand alone (exit code ${second.status}):\n${second.stderr}`)
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
