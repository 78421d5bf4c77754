// npm run test:steady: finds unsteady tests. Runs the suite repeatedly on busy cores and counts what failed in how many runs.
import { spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { parseArgs, stripVTControlCharacters } from 'node:util'
import { failuresOf, Fault, filesOf, JEST, linesOf, listTests, readResult } from './jest-result.mjs'

const ROOT = join(import.meta.dirname, '..')
/** A run that takes longer is killed: it hangs. */
const RUN_MAX_MS = 4 * 3_600_000
/** What the tests accept as TEST_SEED ends below this. */
const SEED_LIMIT = 1_000_000_000
/** Of a message, so many lines are in the table. The file of --output has more. */
const TABLE_LINES = 15
const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const FAKETIME = [
  '/usr/lib/x86_64-linux-gnu',
  '/usr/lib/aarch64-linux-gnu',
  '/usr/lib64',
  '/usr/lib',
  '/usr/local/lib',
].map((dir) => `${dir}/faketime/libfaketimeMT.so.1`)
const BURNER = `
  process.stdin.resume().once('end', () => process.exit())
  const burn = () => {
    for (const end = performance.now() + 50; performance.now() < end; );
    setImmediate(burn)
  }
  burn()`
const LIBRARY = FAKETIME.find((path) => existsSync(path))
const HELP = `npm run test:steady -- [options] [PATTERN ...]

Finds unsteady tests: runs the short suite repeatedly, beside programs that keep the cores busy, each run with another
seed. At the end a table names each test that failed: in how many runs, with which seeds, and its first message.

  PATTERN         runs the test files whose path matches, as Jest does (all)
  --times N       runs (5)
  --burners N     programs that each keep a core busy (one for each core: ${availableParallelism()})
  --seed N        TEST_SEED of the first run; the next run has the next (without it each run draws its own)
  --minutes N     begins no further run after this time
  --day DAY       runs on another day, at the same hour: +3d, --day=-3d, +1y, +5h, or the next saturday
                  (only the runs live on it; needs libfaketime: ${LIBRARY ?? 'not installed'})
  --proofs        runs the proofs (jest.proofs.config.js)
  --config FILE   another configuration of Jest
  --output FILE   also writes the table to a file, as JSON, after each run
  --help

CI and REQUIRE_ENGINES reach the tests as they are set. To repeat a run: --times 1 --seed N.
Exit code 0: nothing failed in any run. 1: something failed. 2: it could not run. 130: it was interrupted.
`
const options = {
  times: { type: 'string', default: '5' },
  burners: { type: 'string', default: String(availableParallelism()) },
  seed: { type: 'string' },
  minutes: { type: 'string' },
  day: { type: 'string' },
  proofs: { type: 'boolean', default: false },
  config: { type: 'string' },
  output: { type: 'string' },
  help: { type: 'boolean', default: false },
}
const MOST = { times: 1_000, burners: 256, seed: SEED_LIMIT - 1, minutes: 100_000 }

class Unable extends Error {}

const say = (text) => void process.stdout.write(`${text}\n`)

function readOptions() {
  try {
    const { values, positionals } = parseArgs({ options, allowPositionals: true })
    for (const [name, most] of Object.entries(MOST)) {
      const value = values[name]
      if (value === undefined) continue
      if (!/^\d{1,9}$/.test(value) || Number(value) > most) {
        throw new Unable(`--${name} takes a whole number, at most ${most}; see --help`)
      }
      values[name] = Number(value)
    }
    const config = values.config ?? join(ROOT, `jest.${values.proofs ? 'proofs' : 'short'}.config.js`)
    return { ...values, config, patterns: positionals }
  } catch (error) {
    throw new Unable(error.message)
  }
}

/** The variables with which a program lives on another day. */
function dayVariables(day) {
  if (day === undefined) return {}
  const weekday = WEEKDAYS.indexOf(day.toLowerCase())
  if (weekday < 0 && !/^[+-]\d{1,4}[hdy]$/.test(day)) {
    throw new Unable(
      '--day takes a number of hours, days or years (+3d), or a weekday (saturday); see --help',
    )
  }
  if (!LIBRARY) {
    throw new Unable(
      `--day needs libfaketime. On Debian and Ubuntu: apt-get install libfaketime\nNot found:\n${FAKETIME.join('\n')}`,
    )
  }
  const days = (weekday - new Date().getDay() + 7) % 7 || 7
  return {
    LD_PRELOAD: [LIBRARY, process.env.LD_PRELOAD].filter(Boolean).join(':'),
    FAKETIME: weekday < 0 ? day : `+${days}d`,
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  }
}

/** Starts programs that each keep a core busy. Their standard input ends with this one, however it ends; so do they. */
async function startBurners(count) {
  const burners = Array.from({ length: count }, () =>
    spawn(process.execPath, ['-e', BURNER], { stdio: ['pipe', 'ignore', 'ignore'] }),
  )
  await Promise.all(burners.map((burner) => once(burner, 'spawn')))
  say(`burners: ${burners.map(({ pid }) => pid).join(', ') || 'none'}`)
  return async () => {
    const left = burners.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)
    await Promise.all(left.map((burner) => (burner.kill('SIGKILL'), once(burner, 'exit'))))
  }
}

/** One run: what failed in it. */
async function run({ config, patterns, listed, seed, variables, dir, stop }) {
  const [result, log] = [join(dir, 'result.json'), join(dir, 'log.txt')]
  rmSync(result, { force: true })
  const output = openSync(log, 'w')
  const args = ['--no-warnings', JEST, '--config', config, '--json', '--outputFile', result, ...patterns]
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', output, output],
    env: { ...process.env, ...variables, TEST_SEED: String(seed) },
    timeout: RUN_MAX_MS,
    signal: stop,
  })
  closeSync(output)
  child.on('error', () => {}) // It was interrupted; its end follows.
  const [code, signal] = await new Promise((resolve) => child.once('close', (...ended) => resolve(ended)))
  const ended = signal ? `killed by ${signal}` : `exit code ${code}`
  const broke = (reason) => {
    const lines = stripVTControlCharacters(readFileSync(log, 'utf8')).trim().split('\n')
    const last = lines.filter((line) => !/^\s+at /.test(line)).slice(1 - TABLE_LINES)
    return [{ file: 'the run itself', test: ended, message: [reason, ...last].join('\n') }]
  }
  try {
    const failed = readResult(result, listed).flatMap((file) =>
      failuresOf(file).map((each) => ({ file: relative('.', file.name), ...each })),
    )
    if (failed.length > 0 || code === 0) return failed
    return broke('no file failed: a start or an end of the run broke')
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return broke(error.message)
  }
}

/** Adds what failed in a run to the rows of the table. */
function addTo(rows, failed, seed) {
  const keyOf = ({ file, test }) => `${file}\n${test}`
  for (const [key, { file, test, message }] of new Map(failed.map((each) => [keyOf(each), each]))) {
    const row = rows.get(key) ?? { file, test, failed: 0, seeds: [], message: linesOf(message) }
    rows.set(key, { ...row, failed: row.failed + 1, seeds: [...row.seeds, seed] })
  }
}

const runsOf = (times) => `${times} ${times === 1 ? 'run' : 'runs'}`
const sorted = (rows) => [...rows.values()].sort((a, b) => b.failed - a.failed)

function table(rows, done) {
  const first = `1 of ${done}`.length + 2
  const indent = ' '.repeat(first)
  return sorted(rows).flatMap(({ file, test, failed, seeds, message }) => [
    `${`${failed} of ${done}`.padEnd(first)}${file}`,
    `${indent}${test}`,
    `${indent}TEST_SEED ${seeds.join(', ')}`,
    ...message.slice(0, TABLE_LINES).map((line) => `${indent}  ${line}`.trimEnd()),
    '',
  ])
}

/** Begins one run after the other; resolves with the number of runs that ended by themselves. */
async function runAll(settings, listed, dir, stop, rows) {
  const { times, minutes = Infinity, output } = settings
  const began = performance.now()
  const minutesSince = (moment) => (performance.now() - moment) / 60_000
  const runs = []
  const save = () => {
    if (output) writeFileSync(output, `${JSON.stringify({ times, runs, failures: sorted(rows) }, null, 2)}\n`)
  }
  save()
  while (runs.length < times && (runs.length === 0 || minutesSince(began) < minutes)) {
    const seed =
      settings.seed === undefined ? randomInt(SEED_LIMIT) : (settings.seed + runs.length) % SEED_LIMIT
    const name = `run ${runs.length + 1} of ${times}`
    const variables = dayVariables(settings.day)
    const moved = variables.FAKETIME ? `, ${variables.FAKETIME} from now` : ''
    say(`${name} begins: TEST_SEED ${seed}${moved}`)
    const start = performance.now()
    const failed = await run({ ...settings, seed, variables, listed, dir, stop })
    if (stop.aborted) break
    addTo(rows, failed, seed)
    const files = [...new Set(failed.map(({ file }) => file))]
    const taken = minutesSince(start).toFixed(1)
    runs.push({ seed, minutes: Number(taken), failed: files })
    save()
    say(
      `${name} took ${taken} minutes: TEST_SEED ${seed}, ${files.length > 0 ? 'failed: ' : 'nothing failed'}${files.join(', ')}`,
    )
  }
  return runs.length
}

async function main() {
  const settings = readOptions()
  if (settings.help) return (process.stdout.write(HELP), 0)
  const { config, patterns, day, times, burners } = settings
  dayVariables(day) // Throws where there is no such day.
  const listed = listTests(config, ...patterns)
  if (listed.length === 0) throw new Unable('no test file matches')
  say(`${filesOf(listed)}, ${runsOf(times)}`)
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stopping.abort())
  const dir = mkdtempSync(join(tmpdir(), 'cofre-steady-'))
  const stopBurners = await startBurners(burners)
  const rows = new Map()
  try {
    const done = await runAll(settings, listed, dir, stopping.signal, rows)
    say(`\n${done} of ${runsOf(times)} done${stopping.signal.aborted ? ', then interrupted' : ''}\n`)
    say(rows.size > 0 ? table(rows, done).join('\n') : 'nothing failed')
  } finally {
    await stopBurners()
    rmSync(dir, { recursive: true, force: true })
  }
  return stopping.signal.aborted ? 130 : rows.size > 0 ? 1 : 0
}

try {
  process.exitCode = await main()
} catch (error) {
  process.stderr.write(`${error instanceof Unable || error instanceof Fault ? error.message : error.stack}\n`)
  process.exitCode = 2
}
