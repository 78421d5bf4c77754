import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(__dirname, '..')
const NINE = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine']
const GREEN = `test('passes', () => {})`
const RED = `test('fails', () => { throw new Error('red for good') })`
/** Fails when it runs for the first time. */
const ONCE = `
  const { existsSync, writeFileSync } = require('node:fs')
  test('falls by chance', () => {
    if (existsSync('ran')) return
    writeFileSync('ran', '')
    throw new Error('red at first, seed 7')
  })`

const CONFIG = `module.exports = { testMatch: ['<rootDir>/*.test.js'], maxWorkers: 1 }`

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(process.env['TEST_RUN_DIR'] ?? '', 'again-'))
  write('jest.config.js', CONFIG)
})
afterEach(() => rmSync(dir, { recursive: true }))

const write = (name: string, text: string) => writeFileSync(join(dir, name), text)

function run(program: string, ...args: string[]) {
  const { NODE_ENV: _, JEST_WORKER_ID: __, ...env } = process.env
  return spawnSync(process.execPath, [join(ROOT, program), ...args], { cwd: dir, encoding: 'utf8', env })
}

/** Runs these test files as the gate does, and returns the exit code. */
function runTests(files: Record<string, string>, ...args: string[]): number | null {
  for (const [name, text] of Object.entries(files)) write(`${name}.test.js`, text)
  const given = ['--config', 'jest.config.js', '--json', '--outputFile', 'result.json']
  return run('node_modules/jest/bin/jest.js', ...given, ...args).status
}

function judge(code: number | null): { code: number | null; said: string } {
  const given = ['--result', 'result.json', '--config', 'jest.config.js', '--code', String(code ?? 1)]
  const { status, stdout } = run('scripts/again.mjs', ...given, '--unsteady', 'unsteady.txt')
  return { code: status, said: stdout }
}

test('a run in which all passed is good', () => {
  expect(judge(runTests({ green: GREEN }))).toEqual({ code: 0, said: '' })
})

test('a test that fails at first and passes alone is named as unsteady, and refuses nothing', () => {
  const { code, said } = judge(runTests({ chance: ONCE, green: GREEN }))
  expect([code, said]).toEqual([0, expect.stringContaining('again, alone: chance.test.js')])
  expect(said).not.toContain('green.test.js')
  const named = readFileSync(join(dir, 'unsteady.txt'), 'utf8')
  expect(named).toContain('chance.test.js\n    falls by chance\n      Error: red at first, seed 7')
  expect(named).toContain(`    drawn with TEST_SEED=${process.env['TEST_SEED']}\n`)
})

test('a test that fails twice is a fault', () => {
  const { code, said } = judge(runTests({ red: RED, chance: ONCE }))
  expect([code, said]).toEqual([1, expect.stringContaining('FAULT: 1 file failed twice:\n  red.test.js')])
  expect(said).toContain('red for good')
})

test('a file that throws when it is loaded is a fault', () => {
  const { code, said } = judge(runTests({ thrown: `throw new Error('not loaded')`, green: GREEN }))
  expect([code, said]).toEqual([1, expect.stringContaining('not loaded')])
})

test('more files than may fail by chance are a fault, and none runs again', () => {
  const { code, said } = judge(runTests(Object.fromEntries(NINE.map((name) => [name, RED]))))
  expect([code, said]).toEqual([1, expect.stringContaining('FAULT: 9 files failed, more than 8:')])
  expect(said).not.toContain('again, alone')
})

test('a run that wrote no result is a fault, also when it ended well', () => {
  for (const code of [0, 137]) {
    expect(judge(code)).toEqual({ code: 1, said: expect.stringContaining('it broke or was killed') })
  }
  write('result.json', '{"testResults":[')
  expect(judge(0).code).toBe(1)
})

test('a listed file that did not run is a fault, also when all others passed', () => {
  const code = runTests({ green: GREEN, left: GREEN }, '--testPathPatterns', 'green')
  expect(code).toBe(0)
  expect(judge(code)).toEqual({ code: 1, said: 'FAULT: 1 file did not run:\n  left.test.js\n' })
})

test('a run that ended badly though no file failed is a fault', () => {
  runTests({ green: GREEN })
  expect(judge(1)).toEqual({ code: 1, said: expect.stringContaining('no file failed, and yet') })
})
