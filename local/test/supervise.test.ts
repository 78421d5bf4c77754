import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '@cofre/testing/testing'
import { bornAt } from '../src/born-at'
import { supervise, type Program, type Supervised } from '../src/supervise'

let dir: string
const running: Supervised[] = []

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'supervise-'))
})
afterEach(async () => {
  await Promise.all(running.splice(0).map((program) => program.kill()))
})
afterAll(() => rmSync(dir, { recursive: true }))

/** Supervises a small real program; `pids` holds its process ids, oldest first. */
function watch(script: string, change: Partial<Program> = {}) {
  const pids: number[] = []
  const told: string[] = []
  const program: Program = {
    name: 'small',
    command: process.execPath,
    args: ['-e', script],
    cwd: dir,
    env: { PATH: process.env['PATH'] },
    logFile: join(dir, `${running.length}-${Date.now()}.log`),
    stopSignals: ['SIGTERM', 'SIGKILL'],
    ...change,
  }
  const supervised = supervise(program, {
    started: (pid) => void pids.push(pid),
    died: (line) => void told.push(line),
  })
  running.push(supervised)
  return { supervised, pids, told, log: () => readFileSync(program.logFile, 'utf8') }
}

const RUNS = "console.info('up'); setInterval(() => {}, 1e6)"
const lives = (pid: number | undefined) => pid !== undefined && bornAt(pid) !== undefined

test('a killed program is started again, with a new pid, and reported', async () => {
  const { supervised, pids, told, log } = watch(RUNS)
  await eventually(() => expect(log()).toBe('up\n'))
  process.kill(pids[0] ?? 0, 'SIGKILL')
  await eventually(() => expect(log()).toBe('up\nup\n'))
  expect(told).toEqual(['small ended (SIGKILL); starting it again'])
  expect(pids).toHaveLength(2)
  await supervised.stop()
  expect(pids.filter(lives)).toEqual([])
})

test('a program may be killed from outside any number of times', async () => {
  const { pids, log } = watch(RUNS)
  for (let time = 1; time <= 12; time++) {
    await eventually(() => expect(log()).toBe('up\n'.repeat(time)))
    process.kill(pids.at(-1) ?? 0, 'SIGKILL')
    await eventually(() => expect(pids).toHaveLength(time + 1))
  }
})

test('a program that ends itself every time is given up after ten times, with its reason', async () => {
  const { supervised, pids, told } = watch('process.exit(3)')
  await expect(supervised.lost).resolves.toBe('small does not stay up (exit code 3)')
  expect(pids).toHaveLength(10)
  expect(told).toHaveLength(9)
})

test('a program that cannot be started at all is given up too', async () => {
  const { supervised } = watch('', { command: join(dir, 'nothing') })
  await expect(supervised.lost).resolves.toContain('ENOENT')
})

test('stopping is gentle: the program finishes its work at SIGTERM', async () => {
  const { supervised, pids, log } = watch(
    `process.on('SIGTERM', () => { console.info('finished'); process.exit(0) }); ${RUNS}`,
  )
  await eventually(() => expect(log()).toBe('up\n'))
  await supervised.stop()
  expect(log()).toBe('up\nfinished\n')
  expect(pids.filter(lives)).toEqual([])
})

test('a program that ignores the signal is ended all the same, and stopping twice is the same as once', async () => {
  const { supervised, pids, log } = watch(`process.on('SIGTERM', () => console.info('no')); ${RUNS}`, {
    graceMs: 300,
  })
  await eventually(() => expect(log()).toBe('up\n'))
  await Promise.all([supervised.stop(), supervised.stop()])
  // On a busy machine its time may end before its first line.
  expect(log()).toMatch(/^up\n(no\n)*$/)
  expect(pids.filter(lives)).toEqual([])
})

test('stopping while a restart is due starts nothing', async () => {
  const { supervised, pids, told } = watch('process.exit(1)')
  await eventually(() => expect(told.length).toBeGreaterThan(0))
  await supervised.stop()
  const started = pids.length
  expect(pids.filter(lives)).toEqual([])
  await expect(Promise.race([supervised.lost, supervised.stop()])).resolves.toBeUndefined()
  expect(pids).toHaveLength(started)
})

test('Ctrl-C in the terminal does not reach the programs: each has its own session', async () => {
  const script = "process.on('SIGINT', () => console.info('interrupted')); " + RUNS
  const { pids, log } = watch(script)
  await eventually(() => expect(log()).toBe('up\n'))
  const [pid = 0] = pids
  // A session's leader has its own process group, so a signal to ours does not reach it.
  expect(() => process.kill(-pid, 0)).not.toThrow()
  expect(pid).not.toBe(process.pid)
})

test('a log that is too large is put aside at the next start', async () => {
  const logFile = join(dir, 'big.log')
  writeFileSync(logFile, Buffer.alloc(11 * 1024 * 1024))
  const { log } = watch(RUNS, { logFile })
  await eventually(() => expect(log()).toBe('up\n'))
})
