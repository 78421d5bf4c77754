// Runs Jest and reads what it wrote of a run, for the scripts that judge runs.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

export const JEST = join(import.meta.dirname, '../node_modules/jest/bin/jest.js')
/** No file takes so long alone, not even on a machine that is three times slower. */
const ALONE_MAX_MS = 20 * 60_000
/** A message may hold a whole page: of each, so many lines are shown, and so much of each line. */
const LINES_SHOWN = 40
const LINE_MAX = 400
const OUTPUT_MAX_BYTES = 2 ** 28

/** Why a run is a fault. */
export class Fault extends Error {}

export function jest(config, ...args) {
  return spawnSync(process.execPath, ['--no-warnings', JEST, '--config', config, ...args], {
    encoding: 'utf8',
    maxBuffer: OUTPUT_MAX_BYTES,
    timeout: ALONE_MAX_MS,
  })
}

/** The paths of the files that a run has. */
export function listTests(config, ...patterns) {
  const listed = jest(config, '--listTests', ...patterns)
  if (listed.status !== 0) throw new Fault(`the tests can't be listed\n${listed.stderr}`)
  return listed.stdout.split('\n').filter((name) => name !== '')
}

/** What Jest wrote to `result` of each file. Throws a Fault unless all the listed ones ran. */
export function readResult(result, listed) {
  let run
  try {
    run = JSON.parse(readFileSync(result, 'utf8'))
  } catch {
    throw new Fault(`the run wrote no result to ${result}: it broke or was killed`)
  }
  if (run.wasInterrupted) throw new Fault('the run was interrupted')
  const ran = new Set(run.testResults.map(({ name }) => name))
  const missing = listed.filter((name) => !ran.has(name))
  if (missing.length > 0) throw new Fault(`${filesOf(missing)} did not run:\n${namesOf(missing)}`)
  return run.testResults
}

export const filesOf = (paths) => `${paths.length} ${paths.length === 1 ? 'file' : 'files'}`
export const namesOf = (paths) => paths.map((path) => `  ${relative('.', path)}`).join('\n')

/** The tests of a file that failed. */
export function failuresOf({ status, message, assertionResults }) {
  const failed = assertionResults
    .filter((each) => each.status === 'failed')
    .map(({ fullName, failureMessages }) => ({ test: fullName, message: failureMessages[0] ?? '' }))
  return failed.length === 0 && status === 'failed' ? [{ test: 'the file itself', message }] : failed
}

/** The lines of a message that are shown. */
export const linesOf = (message) =>
  stripVTControlCharacters(message)
    .split('\n')
    .slice(0, LINES_SHOWN)
    .map((line) => line.slice(0, LINE_MAX))
