import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Command, InvalidArgumentError } from 'commander'
import { checkBudgets } from './budgets'
import { cardNetReport, measureCardNet } from './card-net/measure-card-net'
import { compareCommand } from './compare/compare-command'
import { invoicesReport } from './invoices/invoices-report'
import { measureInvoices } from './invoices/measure-invoices'
import { listsTable, measureLists } from './lists'
import { describeMachine } from './machine'
import { runNotifications } from './notifications/run-notifications'
import { measurePix, pixReport } from './pix/measure-pix'
import { measurePortal, portalReport } from './portal/measure-portal'
import { reportOf } from './report'
import type { Plan, Result } from './result'
import { wholeNumber } from './whole-number'

const ROOT = join(__dirname, '../..')
const RESULTS = join(ROOT, 'bench/results.md')
/** The text below this mark in results.md is written by hand and kept. */
const BY_HAND = '<!-- Below: written by hand. -->'
const RUN_MINUTES_MAX = 30
/** How often each text is searched: the compiler needs some to warm up. */
const SEARCHES = 40

type Options = {
  quick: boolean
  charges: number
  rounds: number
  seconds: number
  profile?: string
  write: boolean
  lists: boolean
  invoices: boolean
  cardNet: boolean
  rows: number
  sellers: number
  notifications: boolean
  events: number
  singles: number
  kafka: boolean
  pix: boolean
  payments: number
  perCall: number
  portal: boolean
}

const program = new Command('npm run bench --')
  .description(
    'Measures the whole product beside the bare ceiling of its architecture and checks the budgets.',
  )
  .option('--quick', 'about a minute, writes nothing: 10000 charges, 2 rounds of 1.5 s', false)
  .option('--charges <n>', 'charges that are there before', wholeNumber, 100_000)
  .option('--rounds <n>', 'rounds of each, by turns; the median counts', wholeNumber, 5)
  .option('--seconds <n>', 'length of a round', wholeNumber, 5)
  .option('--profile <dir>', 'every program writes a CPU profile there (it costs some speed)')
  .option('--lists', 'only the lists of a seller with very many entries: --charges of each', false)
  .option(
    '--invoices',
    'only invoices: --rows of --sellers beside 1,000, by turns; then an export of --rows',
    false,
  )
  .option('--card-net', 'only the search for card numbers, in texts made to cost much', false)
  .option('--rows <n>', 'invoices, and with --portal charges, that are there before', wholeNumber, 1_000_000)
  .option('--sellers <n>', 'whose invoices they are, 500 at most', sellerCount, 50)
  .option('--notifications', 'only the speed of the notifier: events one at a time, and many', false)
  .option(
    '--events <n>',
    'with --notifications: deliveries to one endpoint and to a hundred',
    wholeNumber,
    100_000,
  )
  .option('--singles <n>', 'with --notifications: events one at a time', wholeNumber, 2_000)
  .option('--kafka', 'with --notifications: on Apache Kafka, not on the embedded event log', false)
  .option('--pix', 'only Pix: --payments that are reported at once, beside other calls', false)
  .option('--payments <n>', 'with --pix: invoices that are paid', wholeNumber, 1_000)
  .option('--per-call <n>', 'with --pix: payments in each webhook', wholeNumber, 10)
  .option(
    '--portal',
    'only the portal: every page of a seller with --rows charges and invoices, and 50 sockets of one session',
    false,
  )
  .option('--no-write', 'leave bench/results.md as it is')
  .addHelpText(
    'after',
    `
BENCH_NODE=/path/to/another/node runs everything once more, on that version.
Nothing is random: two runs ask the same. Exit code 1 when a budget is missed or a request failed.`,
  )

async function main(): Promise<boolean> {
  let succeeded = false
  program
    // `compare` has options of the same names.
    .enablePositionalOptions()
    .addCommand(compareCommand((all) => (succeeded = all)))
    .action(async (options: Options) => {
      succeeded = await measureWhole(options)
    })
  await program.parseAsync()
  return succeeded
}

async function measureWhole(options: Options): Promise<boolean> {
  if (options.lists) {
    const { costs, kept } = await measureLists(options, (text) => process.stderr.write(`${text}\n`))
    process.stdout.write(`${listsTable(costs)}\n`)
    return kept
  }
  if (options.invoices) {
    const result = await measureInvoices(options, (text) => process.stderr.write(`${text}\n`))
    process.stdout.write(`${invoicesReport(result)}\n`)
    return result.kept
  }
  if (options.cardNet) {
    const result = measureCardNet(SEARCHES)
    process.stdout.write(`${cardNetReport(result)}\n`)
    return result.kept
  }
  if (options.pix) {
    const result = await measurePix(options, (text) => process.stderr.write(`${text}\n`))
    process.stdout.write(`${pixReport(result)}\n`)
    return result.seconds !== undefined && result.meanwhile.failures === 0
  }
  if (options.portal) {
    const result = await measurePortal(options, (text) => process.stderr.write(`${text}\n`))
    process.stdout.write(`${portalReport(result)}\n`)
    return result.kept
  }
  if (options.notifications) {
    const { kafka, profile } = options
    const asked = { ...options, eventLog: kafka ? ('kafka' as const) : ('postgres' as const) }
    if (profile !== undefined) mkdirSync(profile, { recursive: true })
    const { report, kept } = await runNotifications(
      { ...asked, profileDir: profile === undefined ? undefined : resolve(profile) },
      (text) => process.stderr.write(`${text}\n`),
    )
    process.stdout.write(`${report}\n`)
    return kept
  }
  const other = process.env['BENCH_NODE']
  const nodes = [process.execPath, ...(other !== undefined && !options.quick ? [other] : [])]
  const results: Result[] = []
  for (const node of nodes) results.push(await runOn(node, planOf(options)))
  const text = results.map(reportOf).join('\n\n')
  process.stdout.write(`${text}\n`)
  if (options.write && !options.quick && options.profile === undefined) write(text)
  return results.every((result) => checkBudgets(result).every(({ kept }) => kept))
}

function planOf({ quick, charges, rounds, seconds, profile }: Options): Plan {
  const plan = quick
    ? {
        charges: 10_000,
        rounds: 2,
        seconds: 1.5,
        attempts: 1,
        warmUpRequests: 500,
        idleSeconds: 3,
        deliveries: 30,
        calls: 50,
      }
    : {
        charges,
        rounds,
        seconds,
        attempts: 3,
        warmUpRequests: 5_000,
        idleSeconds: 10,
        deliveries: 300,
        calls: 500,
      }
  return profile === undefined ? plan : { ...plan, profileDir: resolve(profile) }
}

/** Runs the bench in its own process: the whole system and the ceiling then use that Node too. */
async function runOn(node: string, plan: Plan): Promise<Result> {
  const dir = mkdtempSync(join(tmpdir(), 'cofre-bench-result-'))
  const file = join(dir, 'result.json')
  try {
    const child = spawn(node, [join(__dirname, 'run.js'), JSON.stringify(plan), file], {
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    const timer = setTimeout(() => child.kill('SIGTERM'), RUN_MINUTES_MAX * 60_000)
    const [code] = await once(child, 'exit')
    clearTimeout(timer)
    if (code !== 0) throw new Error(`the run on ${node} ended with ${code}`)
    return JSON.parse(readFileSync(file, 'utf8')) as Result
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

function write(text: string): void {
  const earlier = existsSync(RESULTS) ? readFileSync(RESULTS, 'utf8') : ''
  const [, byHand = '\n'] = earlier.split(BY_HAND)
  const head = `# Measured\n\nWritten by \`npm run bench\`. ${describeMachine(ROOT)}`
  writeFileSync(RESULTS, `${head}\n\n${text}\n\n${BY_HAND}${byHand}`)
}

/** Reads the number of sellers. The bench looks up the invoice with that number, also in the small system. */
function sellerCount(text: string): number {
  const value = wholeNumber(text)
  if (value > 500) throw new InvalidArgumentError('must be at most 500')
  return value
}

main().then(
  (kept) => process.exit(kept ? 0 : 1),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exit(1)
  },
)
