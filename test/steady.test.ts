import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from '@cofre/testing/testing'

const SCRIPT = join(__dirname, '../scripts/steady.mjs')
const CONFIG = `module.exports = { testMatch: ['<rootDir>/*.test.js'], maxWorkers: 1 }`
const GREEN = `test('passes', () => {})`
/** Counts its runs in a file, and does something in the second. */
const inSecondRun = (title: string, act: string) => `
  const { appendFileSync, readFileSync } = require('node:fs')
  test('${title}', () => {
    appendFileSync('ran', '.')
    if (readFileSync('ran', 'utf8').length === 2) { ${act} }
  })`
/** Writes its process to a file and never ends. */
const ENDLESS = `
  const { renameSync, writeFileSync } = require('node:fs')
  test('hangs', () => {
    writeFileSync('new', String(process.pid))
    renameSync('new', 'pid')
    return new Promise(() => setInterval(() => {}, 1_000))
  }, 600_000)`
const { NODE_ENV: _, JEST_WORKER_ID: __, ...env } = process.env
const HELP = spawnSync(process.execPath, [SCRIPT, '--help'], { encoding: 'utf8', env }).stdout
const hasLibrary = !HELP.includes('not installed')

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(process.env['TEST_RUN_DIR'] ?? '', 'steady-'))
  write('jest.config.js', CONFIG)
})
afterEach(() => rmSync(dir, { recursive: true }))

const write = (name: string, text: string) => writeFileSync(join(dir, name), text)
const read = (name: string) => readFileSync(join(dir, name), 'utf8')

/** Runs these test files as an engineer does. */
function runSteady(files: Record<string, string>, ...args: string[]) {
  for (const [name, text] of Object.entries(files)) write(`${name}.test.js`, text)
  const given = [SCRIPT, '--config', 'jest.config.js', '--burners', '0', '--output', 'table.json', ...args]
  const { status, stdout, stderr } = spawnSync(process.execPath, given, { cwd: dir, encoding: 'utf8', env })
  return { code: status, said: stdout, complaint: stderr }
}

test('what failed in some runs is one row, with how many runs, their seeds and its first message', () => {
  const chance = inSecondRun('falls by chance', `throw new Error('red with ' + process.env.TEST_SEED)`)
  const { code, said } = runSteady({ chance, green: GREEN }, '--times', '3', '--seed', '41')
  expect(code).toBe(1)
  expect(said).toContain('run 2 of 3 begins: TEST_SEED 42\n')
  expect(said).toMatch(/^run 2 of 3 took \d+\.\d minutes: TEST_SEED 42, failed: chance\.test\.js$/m)
  expect(said).toMatch(/^run 3 of 3 took \d+\.\d minutes: TEST_SEED 43, nothing failed$/m)
  const row = ['1 of 3  chance.test.js', 'falls by chance', 'TEST_SEED 42', '  Error: red with 42']
  expect(said).toContain(`3 of 3 runs done\n\n${row.join('\n        ')}\n`)
  expect(said).not.toContain('green.test.js')
  const { runs, failures } = JSON.parse(read('table.json'))
  expect(runs).toMatchObject([
    { seed: 41, failed: [] },
    { seed: 42, failed: ['chance.test.js'] },
    { seed: 43, failed: [] },
  ])
  expect(failures).toMatchObject([
    { file: 'chance.test.js', test: 'falls by chance', failed: 1, seeds: [42] },
  ])
})

test('a run that is killed is a row of its own, and the next run follows', () => {
  const killed = inSecondRun('ends', `process.kill(process.pid, 'SIGKILL')`)
  const { code, said } = runSteady({ killed }, '--times', '3')
  expect(code).toBe(1)
  expect(said).toContain('3 of 3 runs done\n\n1 of 3  the run itself\n        killed by SIGKILL\n')
})

test('a run that breaks at its start is a row of its own, with its exit code and last lines', () => {
  write('start.js', `module.exports = () => { throw new Error('no database today') }`)
  write('jest.config.js', `${CONFIG}\nmodule.exports.globalSetup = '<rootDir>/start.js'`)
  const { code, said } = runSteady({ green: GREEN }, '--times', '1')
  expect(code).toBe(1)
  expect(said).toContain('1 of 1  the run itself\n        exit code 1\n')
  expect(said).toContain('no database today')
})

test('a file that throws when it is loaded is a row', () => {
  const { code, said } = runSteady({ thrown: `throw new Error('not loaded')` }, '--times', '2')
  expect([code, said]).toEqual([
    1,
    expect.stringContaining('2 of 2  thrown.test.js\n        the file itself'),
  ])
  expect(said).toContain('not loaded')
})

test('only files that match run, with seeds that differ, and no run begins after the minutes', () => {
  const { code, said } = runSteady({ green: GREEN, red: `throw 1` }, 'green', '--times', '2')
  expect([code, said]).toEqual([0, expect.stringContaining('2 of 2 runs done\n\nnothing failed\n')])
  const seeds = JSON.parse(read('table.json')).runs.map(({ seed }: { seed: number }) => seed)
  expect(new Set(seeds).size).toBe(2)

  const short = runSteady({ green: GREEN }, 'green', '--times', '2', '--minutes', '0')
  expect([short.code, short.said]).toEqual([0, expect.stringContaining('1 of 2 runs done\n')])
})

test.each([
  [['--times', 'often'], '--times takes a whole number'],
  [['--burners=-1'], '--burners takes a whole number'],
  [['--seed', '1234567890'], '--seed takes a whole number'],
  [['--day', 'someday'], '--day takes a number of hours, days or years'],
  [['--often'], "Unknown option '--often'"],
  [['nothing-is-named-so'], 'no test file matches'],
  [['--config', 'missing.js'], "the tests can't be listed"],
  [['--output', 'missing/table.json'], 'missing/table.json'],
])("it can't run with %j, and says why", (args, why) => {
  const { code, said, complaint } = runSteady({ green: GREEN }, ...args)
  expect([code, complaint]).toEqual([2, expect.stringContaining(why)])
  expect(said).not.toContain('begins')
})

const [withLibrary, withoutLibrary] = hasLibrary ? [test, test.skip] : [test.skip, test]
withLibrary('with --day the tests live on that day, and the script does not', () => {
  const note = `require('node:fs').appendFileSync('moments', new Date().toISOString() + ' ')`
  const daysToSaturday = () => 6 - new Date().getDay() || 7
  const began = Date.now()
  const possible = [daysToSaturday()]
  const moved = [['--day', '+3d'], ['--day=-2h'], ['--day', 'Saturday']].map((day) => {
    const { code, said } = runSteady({ green: `test('passes', () => { ${note} })` }, '--times', '1', ...day)
    expect(code).toBe(0)
    return /begins: TEST_SEED \d+, ([+-]\d+[dh]) from now$/m.exec(said)?.[1] ?? ''
  })
  possible.push(daysToSaturday()) // It may have become midnight.
  expect(moved).toEqual(['+3d', '-2h', expect.any(String)])
  expect(possible.map((days) => `+${days}d`)).toContain(moved[2])
  const tookMs = Date.now() - began
  const moments = read('moments').trim().split(' ').map(Date.parse)
  const hours = [72, -2, 24 * Number.parseInt(moved[2] ?? '')]
  for (const [index, moment] of moments.entries()) {
    const afterMs = moment - began - (hours[index] ?? 0) * 3_600_000
    expect(afterMs).toBeGreaterThanOrEqual(0)
    expect(afterMs).toBeLessThanOrEqual(tookMs)
  }
  expect(moments.length).toBe(3)
})
withoutLibrary('--day says which package it lacks', () => {
  const { code, complaint } = runSteady({ green: GREEN }, '--day', '+3d')
  expect([code, complaint]).toEqual([2, expect.stringContaining('apt-get install libfaketime')])
})

const onLinux = existsSync('/proc/self/stat') ? describe : describe.skip
onLinux('the burners', () => {
  let script: ChildProcess | undefined
  afterEach(() => script?.kill('SIGKILL'))

  /** The state of a process and the ticks that it has worked; nothing of one that has ended. */
  function stat(pid: number): { ticks: number } | undefined {
    try {
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')
      return fields[0] === 'Z' ? undefined : { ticks: Number(fields[11]) }
    } catch {
      return undefined
    }
  }
  const gone = (pids: number[]) => eventually(() => expect(pids.map(stat)).toEqual(pids.map(() => undefined)))

  /** Starts the script on a test that never ends. */
  async function startEndless() {
    write('endless.test.js', ENDLESS)
    const args = [SCRIPT, '--config', 'jest.config.js', '--burners', '2', '--times', '3']
    const started = spawn(process.execPath, args, {
      cwd: dir,
      env: { ...env, TMPDIR: dir },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    script = started
    let said = ''
    started.stdout.setEncoding('utf8').on('data', (text: string) => (said += text))
    const jest = await eventually(() => Number(read('pid')))
    const burners = /^burners: (\d+), (\d+)$/m.exec(said)?.slice(1).map(Number) ?? []
    return { started, jest, burners, said: () => said }
  }

  test('work as long as the script runs; Ctrl-C ends them and Jest, and what ran before it is shown', async () => {
    const { started, jest, burners, said } = await startEndless()
    const works = burners.map((pid) => eventually(() => expect(stat(pid)?.ticks).toBeGreaterThan(20)))
    await Promise.all(works)
    expect(works.length).toBe(2)
    const ended = once(started, 'close')
    started.kill('SIGINT')
    expect(await ended).toEqual([130, null])
    await gone([jest, ...burners])
    expect(said()).toContain('0 of 3 runs done, then interrupted\n\nnothing failed\n')
  })

  test('end when the script is killed', async () => {
    const { started, jest, burners } = await startEndless()
    try {
      expect(burners.filter((pid) => stat(pid)).length).toBe(2)
      started.kill('SIGKILL')
      await gone(burners)
    } finally {
      process.kill(jest, 'SIGKILL')
      await gone([jest])
    }
  })
})
