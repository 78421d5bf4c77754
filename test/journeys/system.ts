import { execFile } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { giveDatabases } from './made-databases'
import { startLocal, type LocalOptions, type LocalSystem, type Ready } from '../../local/src/start-local'

export type Answer = { status: number; headers: Headers; body: any }
export type System = {
  ready: Ready
  runDir: string
  /** Calls the HTTP API as the demo seller; `token: null` sends no token. */
  api(method: string, path: string, options?: Ask): Promise<Answer>
  sandbox(method: string, path: string, body?: unknown): Promise<any>
  stopService: LocalSystem['stopService']
  startService: LocalSystem['startService']
  stop(): Promise<void>
  kill(): Promise<void>
}
type Ask = { body?: unknown; token?: string | null; headers?: Record<string, string> }

/** Settings of the gateway. A busy machine reads requests late; without this the gateway would refuse them. */
const PATIENT = { HTTP_MAX_LAG_MS: '60000' }

/** Starts the whole product as `npm start` does, with its data in a new folder unless one is given. */
export async function startSystem(
  givenDir?: string,
  options: Pick<LocalOptions, 'adapt' | 'engines'> = {},
): Promise<System> {
  const { adapt = (_name, settings) => settings } = options
  const runDir = givenDir ?? newRunDir()
  if (givenDir === undefined) await giveDatabases(runDir)
  const local = await startLocal({
    ...options,
    adapt: (name, settings) => adapt(name, name === 'gateway' ? { ...settings, ...PATIENT } : settings),
    root: join(__dirname, '../..'),
    runDir,
    port: 0,
    sandboxPort: 0,
    quiet: true,
    unsynced: true,
  })
  const { ready } = local
  const api: System['api'] = async (method, path, { body, token = ready.token, headers = {} } = {}) => {
    const response = await fetch(path.startsWith('http') ? path : `${ready.baseUrl}${path}`, {
      method,
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    }).catch(tellWhy)
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text ? JSON.parse(text) : null }
  }
  const sandbox: System['sandbox'] = async (method, path, body) => {
    const response = await fetch(`${ready.sandboxUrl}${path}`, {
      method,
      ...(body === undefined
        ? {}
        : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return text ? JSON.parse(text) : null
  }
  const { stopService, startService, stop, kill } = local
  return { ready, runDir, api, sandbox, stopService, startService, stop, kill }
}

/** Adds the cause to the message: `fetch` says only that it failed. */
function tellWhy(error: Error): never {
  const { code, message } = (error.cause ?? {}) as { code?: string; message?: string }
  throw new Error(`${error.message}: ${code ?? ''} ${message ?? ''}`, { cause: error })
}

/** A path for `.run` in a new folder, as a clone has it. The test run, if there is one, deletes the folder. */
export function newRunDir(): string {
  const folder = mkdtempSync(join(process.env['TEST_RUN_DIR'] ?? tmpdir(), 'cofre-'))
  chmodSync(folder, 0o755) // For root, PostgreSQL runs as another user, who needs access.
  return join(folder, '.run')
}

export function forget(runDir: string): void {
  rmSync(dirname(runDir), { recursive: true, force: true })
}

/** Kills the system of a finished test and deletes its data. Does nothing when the system did not start. */
export async function discard(system: Pick<System, 'kill' | 'runDir'> | undefined): Promise<void> {
  if (!system) return
  await system.kill()
  forget(system.runDir)
}

/** Runs cofrectl as a person would, in a folder that holds the `.run` of the system. */
export async function runCofrectl({ runDir }: System, ...args: string[]): Promise<any> {
  const program = join(__dirname, '../../cofrectl/dist/main.js')
  const { stdout } = await promisify(execFile)(process.execPath, [program, '--json', ...args], {
    cwd: dirname(runDir),
  })
  return JSON.parse(stdout)
}

/** A Visa number that ends in `digit` and passes Luhn. */
export function cardEndingIn(digit: number): string {
  for (let filler = 0; ; filler++) {
    const number = `42424242424242${filler % 10}${digit}`.replace(
      /^(.{6})(.)/,
      `$1${Math.floor(filler / 10)}`,
    )
    if (passesLuhn(number)) return number
  }
}

function passesLuhn(number: string): boolean {
  const digits = Array.from(number, Number).reverse()
  const sum = digits.reduce((total, digit, at) => {
    const doubled = digit * (at % 2 === 1 ? 2 : 1)
    return total + (doubled > 9 ? doubled - 9 : doubled)
  }, 0)
  return sum % 10 === 0
}

export const customer = { name: 'Ana Souza', document: '12345678909' }
export const cardFields = (cardNumber: string) => ({
  cardNumber,
  holder: { name: 'ANA SOUZA', document: '12345678909' },
  expiration: { year: 2049, month: 12 },
})

/** A card as a payer types it. */
export const typedCard = (cardNumber: string) => ({ ...cardFields(cardNumber), cvv: '123' })

/** A card token for a Visa card that ends in `digit`. */
export async function cardToken(system: System, digit: number): Promise<string> {
  const { body } = await system.api('POST', '/api/v2/cards/tokens', { body: cardFields(cardEndingIn(digit)) })
  return body.token
}

export function authorizeBody(tokens: readonly string[], amount: number) {
  return {
    amount: amount * tokens.length,
    customer,
    payments: tokens.map((token) => ({
      paymentMethod: 'CREDIT_CARD',
      amount,
      installments: 1,
      cardToken: { token, cvv: '123' },
    })),
  }
}

export async function authorize(system: System, digit: number, amount = 10_000): Promise<Answer> {
  const body = authorizeBody([await cardToken(system, digit)], amount)
  return system.api('POST', `/api/v2/sellers/${system.ready.sellerId}/orders/credit-card/authorize`, { body })
}
