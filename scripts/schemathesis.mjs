// npm run probe: tests the whole product with schemathesis, from its own OpenAPI document.
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { testSeed } from '../packages/testing/dist/random.js'

const ROOT = join(import.meta.dirname, '..')
const VERSION = '4.32.5'
const VENV = join(ROOT, '.run', 'schemathesis')
const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
]
/** The charges that can be captured, refunded and read. */
const CHARGES = 20
const PHASES = ['examples', 'coverage', 'fuzzing', 'stateful']
const HELP = `npm run probe -- [options]

Starts the whole product in a folder of its own and lets schemathesis (PyPI, ${VERSION}) call it by /openapi.json: no 5xx, no
undocumented status, header or content type, no answer that breaks its schema. Needs Python 3.10 or newer; a
schemathesis in the PATH is used as it is, otherwise one is installed once, in .run/schemathesis/.

  --max-examples N  requests made for each operation in each phase, at most (40)
  --seed N          the run with this seed again (TEST_SEED)
  --phases LIST     of ${PHASES.join(',')} (all)
  --minutes N       ends after this time, and reports what it found until then (15)
  --keep            keeps the folder of the system, with its logs
  --help

Exit code 1 when anything was found or failed, 2 when schemathesis can't be had, 3 when the time ended first and nothing
was found until then.
`

class Unable extends Error {}

const options = {
  'max-examples': { type: 'string', default: '40' },
  seed: { type: 'string', default: String(testSeed()) },
  phases: { type: 'string', default: PHASES.join(',') },
  minutes: { type: 'string', default: '15' },
  keep: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
}

async function main() {
  const values = readOptions()
  if (values.help) return (process.stdout.write(HELP), 0)
  const program = findSchemathesis() ?? installSchemathesis()
  const { startLocal } = createRequire(import.meta.url)('../local/dist/start-local.js')
  const runDir = mkdtempSync(join(tmpdir(), 'cofre-probe-'))
  chmodSync(runDir, 0o755) // As root, PostgreSQL runs as another user, who must be able to enter.
  const settings = { RATE_LIMIT_PER_SECOND: '1000000', RATE_LIMIT_BURST: '1000000' }
  const anonymous = { ANONYMOUS_PER_SECOND: '1000000', ANONYMOUS_BURST: '1000000' }
  const system = await startLocal({
    root: ROOT,
    runDir,
    port: 0,
    sandboxPort: 0,
    settings: { ...settings, ...anonymous },
    // A request could move a test clock to the year 9999, and everything due until then would be billed.
    adapt: (_name, same) => ({ ...same, ...(same.BILLING_CLOCK ? { BILLING_CLOCK: 'real' } : {}) }),
  })
  // Ctrl-C also ends schemathesis, which ends the run; then the system is stopped.
  process.on('SIGINT', () => {})
  try {
    return await probe(program, await prepare(system, runDir), values)
  } finally {
    await system.stop()
    if (values.keep) process.stdout.write(`The folder of the system: ${runDir}\n`)
    else rmSync(runDir, { recursive: true, force: true })
  }
}

function readOptions() {
  try {
    const { values } = parseArgs({ options })
    for (const name of ['max-examples', 'seed', 'minutes']) {
      if (!/^\d{1,9}$/.test(values[name])) throw new Unable(`--${name} takes a whole number; see --help`)
    }
    return values
  } catch (error) {
    throw new Unable(error.message)
  }
}

function findSchemathesis() {
  const installed = join(VENV, 'bin', 'schemathesis')
  if (existsSync(installed)) return installed
  const found = spawnSync('schemathesis', ['--version'], { encoding: 'utf8' })
  return found.status === 0 ? 'schemathesis' : undefined
}

/** Installs schemathesis in a virtual environment of the repository, and nothing outside of it. */
function installSchemathesis() {
  const python = ['python3', 'python'].find((name) => {
    const asked = spawnSync(name, ['-c', 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))'])
    return asked.status === 0
  })
  if (!python) {
    throw new Unable(
      'Python 3.10 or newer, with venv, is needed to install schemathesis. It is only needed for this.',
    )
  }
  process.stdout.write(`Installing schemathesis ${VERSION} in ${VENV}\n`)
  mkdirSync(VENV, { recursive: true })
  run(python, ['-m', 'venv', VENV])
  run(join(VENV, 'bin', 'pip'), ['install', '--quiet', `schemathesis==${VERSION}`])
  return join(VENV, 'bin', 'schemathesis')
}

function run(command, args) {
  const { status, error } = spawnSync(command, args, { stdio: 'inherit' })
  if (status === 0) return
  rmSync(VENV, { recursive: true, force: true })
  throw new Unable(`${command} ${args.join(' ')} failed${error ? `: ${error.message}` : ''}`)
}

/**
 * Prepares data with which requests get further than 404: charges to work on, and the document with a card token of
 * this system in its examples.
 */
async function prepare({ ready, cardToken }, runDir) {
  const { baseUrl, token, sellerId } = ready
  const call = async (path, body) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const answer = await fetch(
      `${baseUrl}${path}`,
      body ? { method: 'POST', headers, body: JSON.stringify(body) } : {},
    )
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
    return answer.json()
  }
  const payment = {
    paymentMethod: 'CREDIT_CARD',
    amount: 90_000,
    installments: 1,
    cardToken: { token: cardToken },
  }
  const order = {
    amount: 90_000,
    customer: { name: 'Ana Souza', document: '12345678909' },
    payments: [payment],
  }
  const charges = []
  while (charges.length < CHARGES)
    charges.push((await call('/api/v2/orders/credit-card/authorize', order)).id)
  const document = JSON.stringify(await call('/openapi.json')).replaceAll('f3a1'.repeat(16), cardToken)
  const files = { document: join(runDir, 'openapi.json'), config: join(runDir, 'schemathesis.toml') }
  writeFileSync(files.document, document)
  const known = { sellerId: [sellerId], id: charges, card: [cardToken] }
  const tables = Object.entries(known).map(
    ([name, values]) =>
      `[dictionaries.${name}]\nvalues = ${JSON.stringify(values)}\n[parameters."path.${name}"]\ndictionary = "${name}"\nprobability = 0.7\n`,
  )
  // Inference from bodies puts an integer into a header, which schemathesis's HTTP client can't send.
  const stateful = '[phases.stateful]\ninference.algorithms = ["location-headers"]\n'
  writeFileSync(files.config, [...tables, stateful].join('\n'))
  return { baseUrl, token, runDir, ...files }
}

/** Resolves with the exit code. */
async function probe(
  program,
  { baseUrl, token, runDir, document, config },
  { seed, phases, minutes, 'max-examples': maxExamples },
) {
  process.stdout.write(`schemathesis with seed ${seed}\n`)
  const report = join(runDir, 'report.json')
  const args = ['--config-file', config, 'run', document, '--url', baseUrl]
  const what = ['--checks', CHECKS.join(','), '--phases', phases, '--warnings', 'off']
  const bounds = [
    '--max-examples',
    maxExamples,
    '--seed',
    seed,
    '--request-timeout',
    '60',
    '--continue-on-failure',
    '--report-json-path',
    report,
  ]
  const child = spawn(program, [...args, ...what, ...bounds, '--header', `Authorization: Bearer ${token}`], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, PYTHONUNBUFFERED: '1' },
    // It writes its notes to the folder in which it runs.
    cwd: runDir,
  })
  let isOver = false
  // As by Ctrl-C, it ends with a report.
  const timer = setTimeout(() => (isOver = child.kill('SIGINT')), Number(minutes) * 60_000)
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (status) => resolve(status ?? 1))
  })
  clearTimeout(timer)
  if (!isOver) return code === 0 ? 0 : 1
  process.stdout.write(`not finished within ${minutes} minutes\n`)
  const { failures, errors } = JSON.parse(readFileSync(report, 'utf8'))
  return failures.length + errors.length > 0 ? 1 : 3
}

main().then(
  (code) => process.exit(code),
  (error) => {
    process.stderr.write(`${error instanceof Unable ? error.message : error.stack}\n`)
    process.exit(error instanceof Unable ? 2 : 1)
  },
)
