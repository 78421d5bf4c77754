import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { forgetSystem, startDoomedSystem, type DoomedSystem } from './doomed-system'
import { PARTS, targetsOf, type Part } from './points'
import { seeded, testSeed } from '@cofre/testing/random'
import { describeRun, killTable, neverReached, recoveryTable } from './report'
import { killRun, type RunResult } from './run'

const HELP = `npm run test:kill -- [options]

Starts the whole product, kills its programs (kill -9) at named moments while clients make orders, and checks after
each run that every charge and voucher agrees with its partner, that every answer and every number of an invoice stands,
and that every notification came in order.

  --kills N      how many kills in all, at least (240)
  --per-run N    kills between two checks (8)
  --seed N       seed of the first run; the next has the next (TEST_SEED)
  --only PART    only the moments of a part: ${Object.keys(PARTS).join(', ')}
  --clients N    clients that make orders at once (4)
  --minutes N    ends after this time, whatever was done (60)
  --report FILE  writes the tables there
  --keep         keeps the folder of the system
  --help

One run again: its --seed, --per-run and --only, with --kills 1. Exit code 1 when anything was breached or too few were killed.
`

const options = {
  kills: { type: 'string', default: '240' },
  'per-run': { type: 'string', default: '8' },
  seed: { type: 'string', default: String(testSeed()) },
  clients: { type: 'string', default: '4' },
  only: { type: 'string' },
  minutes: { type: 'string', default: '60' },
  report: { type: 'string' },
  keep: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const

const BREACHES_SHOWN = 20

async function main(): Promise<number> {
  const { values } = parseArgs({ options })
  if (values.help) return (say(HELP), 0)
  const [kills, perRun, seed, clients, minutes] = [
    values.kills,
    values['per-run'],
    values.seed,
    values.clients,
    values.minutes,
  ].map(readCount) as [number, number, number, number, number]
  const only = values.only === undefined ? undefined : readPart(values.only)
  const until = Date.now() + minutes * 60_000
  const part = only === undefined ? '' : ` --only ${only}`
  const results: RunResult[] = []
  const count = () => results.reduce((sum, { killed }) => sum + killed.length, 0)
  let system: DoomedSystem | undefined
  const stopping = new AbortController()
  const stop = () => {
    stopping.abort(new Error('Stopped.'))
    void system?.stop().finally(() => process.exit(1))
  }
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, stop)
  try {
    for (let run = seed; count() < kills && Date.now() < until; run++) {
      system ??= await startDoomedSystem(seeded(`system ${run}`), {}, { signal: stopping.signal })
      const targets = targetsOf(run, perRun, only)
      const result = await killRun(system, { seed: run, targets, clients, until })
      results.push(result)
      say(`${count()}/${kills} kills; ${describeRun(result)}`)
      for (const breach of result.breaches.slice(0, BREACHES_SHOWN)) say(`  BREACH ${breach}`)
      if (result.breaches.length === 0) continue
      say(`  logs and data: ${system.runDir}`)
      say(
        `  again: npm run test:kill -- --seed ${run} --per-run ${perRun} --clients ${clients}${part} --kills 1`,
      )
      await system.stop()
      system = undefined
    }
  } finally {
    await system?.stop()
    if (system && !values.keep) forgetSystem(system)
  }
  const unreached = neverReached(results)
  const noted = unreached.length > 0 ? `\nTried and never reached: ${unreached.join(', ')}.\n` : ''
  const tables = `${killTable(results)}\n\n${recoveryTable(results)}\n${noted}`
  say(tables)
  if (values.report !== undefined) writeFileSync(values.report, tables)
  const breached = results.filter(({ breaches }) => breaches.length > 0)
  if (breached.length > 0) say(`breached with seeds ${breached.map((result) => result.seed).join(', ')}`)
  return breached.length > 0 || count() < kills ? 1 : 0
}

function readCount(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new TypeError(`${text} is not a count; see --help`)
  return Number(text)
}

function readPart(text: string): Part {
  if (!(text in PARTS)) throw new TypeError(`${text} is no part; see --help`)
  return text as Part
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exit(error instanceof TypeError ? 2 : 1)
  },
)
