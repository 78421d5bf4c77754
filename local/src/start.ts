import { join } from 'node:path'
import {
  findStandingEngines,
  startStandingEngines,
  stopStandingEngines,
} from '@cofre/engines/standing-engines'
import { Command, InvalidArgumentError } from 'commander'
import { tellProgress } from './terminal/progress'
import { startLocal, type LocalSystem } from './start-local'
import { summaryOf } from './terminal/summary'

const ROOT = join(__dirname, '../..')
const DEFAULT_PORT = '8080'
const DEFAULT_SANDBOX_PORT = '8090'

/** Ctrl-C reaches us from the terminal and from npm: both are one press. A second press stops everything at once. */
const ONE_PRESS_MS = 500

const program = new Command('npm start --')
  .description('Runs Cofre on this machine: PostgreSQL, the services, a sandbox, a demo seller.')
  .option('--fresh', 'delete the data of earlier starts', false)
  .option(
    '--engines',
    'events in a real Kafka, history in a MongoDB-protocol server (see npm run engines)',
    false,
  )
  .addHelpText(
    'after',
    `
PORT (${DEFAULT_PORT}) and SANDBOX_PORT (${DEFAULT_SANDBOX_PORT}) choose the two addresses; 0 takes any free port.
Other settings of the services, such as RATE_LIMIT_PER_SECOND, are passed on.
Data, logs and keys are in .run/; .run/ready.json exists once everything answers.`,
  )

async function main(): Promise<void> {
  const startedAt = performance.now()
  const { fresh, engines: onEngines } = program.parse().opts<{ fresh: boolean; engines: boolean }>()
  const stopping = new AbortController()
  let system: LocalSystem | undefined
  let askedAt: number | undefined
  const stop = () => {
    const now = performance.now()
    askedAt ??= now
    if (askedAt === now) stopping.abort(new Error('Stopped.'))
    else if (now - askedAt > ONE_PRESS_MS) void system?.kill()
  }
  // A closed terminal or a full pipe must not end this process before it has stopped the others.
  for (const output of [process.stdout, process.stderr]) output.on('error', () => {})
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
  followParent(stop)

  const stopped = new Promise((resolve) => stopping.signal.addEventListener('abort', resolve))
  const progress = tellProgress(say)
  const engines = onEngines ? await useEngines(progress.step) : undefined
  try {
    system = await startLocal({
      root: ROOT,
      runDir: join(ROOT, '.run'),
      port: readPort('PORT', DEFAULT_PORT),
      sandboxPort: readPort('SANDBOX_PORT', DEFAULT_SANDBOX_PORT),
      fresh,
      signal: stopping.signal,
      progress: progress.step,
      ...(engines ? { engines: engines.urls } : {}),
    })
    progress.end()
    say(summaryOf(system, performance.now() - startedAt))
    const reason = await Promise.race([system.lost, stopped.then(() => undefined)])
    progress.step('Stopping the services, then PostgreSQL')
    await system.stop()
    if (reason !== undefined) throw new Error(`${reason}; see .run/logs. Everything is stopped.`)
  } finally {
    await engines?.stop()
  }
}

/** Uses engines that already run, which then stay. When none runs, ours stop with us. */
async function useEngines(progress: (step: string) => void) {
  const standing = await findStandingEngines()
  const { kafka, mongodb } = await startStandingEngines(progress)
  const stop = standing.kafka || standing.mongodb ? async () => {} : stopStandingEngines
  return { urls: { kafka: kafka.url, mongodb: mongodb.url }, stop }
}

/** Stops when npm's shell ends: it may end at a signal without passing it on. */
function followParent(stop: () => void): void {
  const parent = process.ppid
  if (process.env['npm_lifecycle_event'] !== 'start') return
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    stop()
  }, 500)
  timer.unref()
}

function readPort(setting: string, fallback: string): number {
  const text = process.env[setting] || fallback
  const port = Number(text)
  if (/^\d+$/.test(text) && port <= 65_535) return port
  throw new InvalidArgumentError(`${setting} must be a port, 0 to 65535.`)
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exit(1)
  },
)
