import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { PassThrough } from 'node:stream'
import { cofrectl } from '@cofre/cofrectl/cofrectl'
import type { Ready } from '@cofre/local/ready-file'
import { createPool, type Pool } from '@cofre/platform/postgres/postgres'
import { eventually, PATIENT } from '@cofre/testing/testing'
import { Outcome } from '@cofre/proto/vault/v1/vault'
import { type Answer, discard, startSystem, type System } from '../journeys/system'
import { openSeller, type Seller } from './load'
import { copyVault, openCopies, sendCard, type Copies, type Copy } from './vault-copy'

const LOAD_MS = Number(process.env['ROTATED_SECONDS'] ?? 3) * 1_000
const TIMEOUT_MS = 3 * LOAD_MS + 300_000
const CLIENTS = 4
const KEPT_CARDS = 24

let system: System
let seller: Seller
let server: Pool
let vaultDatabase: Pool
/** The settings with which local/ starts the vault. */
let settings: Record<string, string> = {}
beforeAll(async () => {
  system = await startSystem(undefined, {
    adapt: (name, given) => {
      if (name === 'vault') settings = given
      return { ...given, RATE_LIMIT_PER_SECOND: '1000', RATE_LIMIT_BURST: '2000' }
    },
  })
  seller = await openSeller(system)
  server = poolOf('postgres')
  vaultDatabase = poolOf('vault')
})
afterAll(async () => {
  await Promise.all([server, vaultDatabase].map((pool) => pool.end()))
  await discard(system)
})

function poolOf(database: string): Pool {
  const { passwords, ports } = JSON.parse(readFileSync(join(system.runDir, 'state.json'), 'utf8'))
  const url = `postgres://postgres:${passwords.postgres}@127.0.0.1:${ports.postgres}/${database}`
  return createPool({ url, max: 2, name: 'rotated', ...PATIENT }, () => {})
}

/** Runs `cofrectl keys …` in the folder of the system. */
async function cofrectlKeys(command: string): Promise<object> {
  const [input, output, errors] = [new PassThrough(), new PassThrough(), new PassThrough()]
  const terminal = { input, output, errors, env: {}, cwd: dirname(system.runDir) }
  const code = await cofrectl(['--json', 'keys', command], terminal)
  if (code !== 0) throw new Error(String(errors.read()))
  return JSON.parse(String(output.read())) as object
}

const keysFile = () => join(system.runDir, 'keys', 'vault', 'key-encryption-keys')
const readKeys = () => readFileSync(keysFile(), 'utf8')
const writeKeys = (text: string) => writeFileSync(keysFile(), text)

/** Follows the procedure of services/vault/README.md. Returns the id of the new key-encryption key. */
async function rotateEverything(id: string): Promise<string> {
  const old = readKeys()
  const fresh = `${id}:${randomBytes(32).toString('base64')}\n`
  writeKeys(`${fresh}${old}`)
  expect(await cofrectlKeys('rotate-kek')).toMatchObject({ keyEncryptionKeyId: id })
  await cofrectlKeys('rotate-data')
  writeKeys(fresh)
  expect(await cofrectlKeys('rotate-kek')).toMatchObject({ keyEncryptionKeyId: id })
  return id
}

async function restartVault(): Promise<void> {
  const pid = () =>
    (JSON.parse(readFileSync(join(system.runDir, 'ready.json'), 'utf8')) as Ready).pids['vault']
  const before = pid()
  process.kill(before as number, 'SIGTERM')
  await eventually(async () => {
    expect(pid()).not.toBe(before)
    expect((await system.api('GET', '/readyz')).status).toBe(200)
  })
}

/** Works on a few items at a time: load is not the subject here. */
async function forEach<Item, Result>(
  items: Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  for (let from = 0; from < items.length; from += CLIENTS) {
    results.push(...(await Promise.all(items.slice(from, from + CLIENTS).map(work))))
  }
  return results
}

const cardKeys = (copy: Copy) => copy.keys.filter(({ purpose }) => purpose === 'card').map(({ id }) => id)

let before: Copy
let oldKeys: string
let newKeys: string
let firstAnswer: Answer
/** Orders that wait for a Pix, made while keys were rotated. */
const waiting: Answer[] = []

test(
  'keys are rotated under load: every charge is made at the first try, and once',
  async () => {
    const kept = await Promise.all(Array.from({ length: KEPT_CARDS }, () => seller.keepCard()))
    firstAnswer = await seller.chargeOnce('before')
    before = await copyVault(vaultDatabase)
    oldKeys = readKeys()

    const until = Date.now() + LOAD_MS
    const load = seller.startLoad(CLIENTS, kept)
    let rotations = 0
    // The clients go on with the public key that they read before.
    await cofrectlKeys('rotate-encryption')
    await cofrectlKeys('rotate-signing')
    while (rotations === 0 || Date.now() < until) {
      const [asked] = await Promise.all([seller.askForPix(), rotateEverything(`rotated-${++rotations}`)])
      waiting.push(asked)
    }
    const meanwhile = load.charged()
    const { charges, failures } = await load.stop()
    process.stdout.write(`${rotations} rotations, charges meanwhile: ${JSON.stringify(meanwhile)}\n`)

    expect(failures).toEqual([])
    expect(Math.min(...Object.values(meanwhile))).toBeGreaterThan(2)
    const orders = charges.flatMap(({ payments }) => payments.map(({ acquirer }) => acquirer.orderNumber))
    expect(new Set(orders).size).toBe(charges.length)
    const payments = await forEach(orders, (order) =>
      system.sandbox('GET', `/acquirer/payments?merchantOrderId=${order}`),
    )
    const once = [{ amount: 1_000, capturedAmount: 1_000, voidedAmount: 0 }]
    expect(payments).toMatchObject(orders.map(() => once))
  },
  TIMEOUT_MS,
)

test('the old data key is gone, and the new key-encryption key wraps all data keys', async () => {
  newKeys = readKeys()
  const after = await copyVault(vaultDatabase)

  expect(newKeys.trim().split('\n')).toHaveLength(1)
  expect(new Set(after.keys.map((key) => key.kek_id))).toEqual(new Set(newKeys.split(':').slice(0, 1)))
  expect(cardKeys(after)).toHaveLength(1)
  expect(cardKeys(after)).not.toEqual(cardKeys(before))
  expect(new Set(after.cards.map((card) => card.data_key_id))).toEqual(new Set(cardKeys(after)))
})

test(
  'a vault started with the new key alone charges every card, and repeats an answer from before',
  async () => {
    await restartVault()
    const { cards } = await copyVault(vaultDatabase)
    const answers = await forEach(cards, ({ token }) => seller.chargeToken(token))

    expect(answers.length).toBeGreaterThan(KEPT_CARDS)
    const wrong = answers.filter(({ body }) => body.status !== 'CAPTURED')
    expect(wrong.map(({ status, body }) => [status, body.detail ?? body.status])).toEqual([])
    const again = await seller.chargeOnce('before')
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(again.body).toEqual(firstAnswer.body)
  },
  TIMEOUT_MS,
)

test(
  'a Pix is asked for while keys are rotated, and is paid and given back with the new key alone',
  async () => {
    const codes = waiting.map(({ status, body }) => [
      status,
      body.status,
      body.payments?.[0].pix.copyAndPaste,
    ])
    expect(codes).toEqual(codes.map(() => [201, 'PENDING', expect.stringContaining('br.gov.bcb.pix')]))
    const { id, payments } = waiting[0]?.body ?? {}
    const path = `/api/v2/charges/${id}`
    const untilStatus = (status: string) =>
      eventually(async () => expect((await system.api('GET', path)).body.status).toBe(status))
    await system.sandbox('POST', '/pix/pay', { txid: payments[0].pix.txid })
    await untilStatus('CAPTURED')
    expect((await system.api('POST', `${path}/refund`, { body: {} })).status).toBe(201)
    await untilStatus('REFUNDED')
    expect((await seller.askForPix()).status).toBe(201)
  },
  TIMEOUT_MS,
)

describe('a copy of the database from before', () => {
  let copies: Copies
  beforeAll(async () => (copies = await openCopies(server, settings)))

  const serve = (copy: Copy, keys: string) => {
    const file = join(system.runDir, 'keys', 'copy')
    writeFileSync(file, keys)
    return copies.serve(copy, { KEY_ENCRYPTION_KEYS_FILE: file })
  }
  /** Starts a vault on a copy, which sends its first card to the acquirer. */
  const sendFrom = async (copy: Copy, keys: string) => {
    const vault = await serve(copy, keys)
    try {
      return await sendCard(join(system.runDir, 'certs'), vault.port, copy)
    } finally {
      await vault.stop()
    }
  }

  test('opens with the keys from before', async () => {
    expect((await sendFrom(before, oldKeys)).outcome).toBe(Outcome.ANSWERED)
  })

  test('does not open with the new key-encryption key: no vault starts on it', async () => {
    await expect(serve(before, newKeys)).rejects.toThrow(
      /key-encryption key \\"[^"]+\\" is not in the settings/,
    )
  })

  test('does not open when its rows name the new key-encryption key', async () => {
    const [current] = newKeys.split(':')
    const keys = before.keys.map((key) => ({ ...key, kek_id: current as string }))
    await expect(serve({ ...before, keys }, newKeys)).rejects.toThrow(/unable to authenticate data/)
  })

  test('does not open with the current data keys: the card is not sent', async () => {
    const { keys, accounts } = await copyVault(vaultDatabase)
    const cardKey = keys.find(({ purpose }) => purpose === 'card')?.id ?? ''
    const cards = before.cards.map((card) => ({ ...card, data_key_id: cardKey }))
    await expect(sendFrom({ keys, accounts, cards }, newKeys)).rejects.toMatchObject({ code: 13 })
  })
})
