import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { callRpc, CLIENT_OPTIONS } from '@cofre/platform/grpc/client'
import { createPool, type Pool } from '@cofre/platform/postgres/postgres'
import { clientCredentials } from '@cofre/platform/grpc/tls'
import { startProgram } from '@cofre/testing/service-program'
import { PATIENT } from '@cofre/testing/testing'
import { CardKind, VaultClient, type ForwardResponse } from '@cofre/proto/vault/v1/vault'

const PROGRAM = join(__dirname, '../../services/vault/dist/main.js')

/** The rows of a vault's database, as they were at one moment. */
export type Copy = { keys: KeyRow[]; accounts: AccountRow[]; cards: CardRow[] }
type KeyRow = { id: string; purpose: string; kek_id: string; retired_at: string | null }
type AccountRow = { seller_id: number; partner: string; name: string }
type CardRow = { id: number; seller_id: number; token: string; data_key_id: string }

export async function copyVault(pool: Pool): Promise<Copy> {
  const rows = async (table: string) =>
    (await pool.query(`SELECT to_jsonb(t) AS row FROM ${table} t ORDER BY id`)).rows.map(({ row }) => row)
  return { keys: await rows('data_keys'), accounts: await rows('accounts'), cards: await rows('cards') }
}

export type Copies = {
  /** Starts the vault program on a database that holds only `copy`. Throws the reason when it does not start. */
  serve(copy: Copy, settings: Record<string, string>): Promise<{ port: number; stop(): Promise<void> }>
}

/** Makes the empty database that is the template for each copy. */
export async function openCopies(server: Pool, settings: Record<string, string>): Promise<Copies> {
  const urlOf = (name: string) => {
    const url = new URL(server.options.connectionString ?? '')
    url.pathname = name
    return url.href
  }
  const { METRICS_PORT: _ofTheFirst, ...own } = settings
  const envOf = (name: string) => ({ ...process.env, ...own, DATABASE_URL: urlOf(name), GRPC_PORT: '0' })
  await server.query('CREATE DATABASE copy_empty')
  const migration = startProgram(PROGRAM, envOf('copy_empty'), ['migrate'])
  if ((await migration.exited) !== 0) throw new Error(migration.stderr())
  let nth = 0
  const serve: Copies['serve'] = async (copy, change) => {
    const name = `copy_${++nth}`
    await server.query(`CREATE DATABASE ${name} TEMPLATE copy_empty`)
    await restore(urlOf(name), copy)
    const vault = startProgram(PROGRAM, { ...envOf(name), ...change })
    const stop = async () => {
      vault.kill('SIGTERM')
      if ((await vault.exited) !== 0) throw new Error(vault.stderr())
    }
    return { port: await vault.serving, stop }
  }
  return { serve }
}

async function restore(url: string, { keys, accounts, cards }: Copy): Promise<void> {
  const pool = createPool({ url, max: 1, name: 'rotated', ...PATIENT }, () => {})
  try {
    for (const [table, rows] of Object.entries({ data_keys: keys, accounts, cards })) {
      await pool.query(
        `INSERT INTO ${table} OVERRIDING SYSTEM VALUE SELECT * FROM jsonb_populate_recordset(NULL::${table}, $1)`,
        [JSON.stringify(rows)],
      )
    }
  } finally {
    await pool.end()
  }
}

/** Has a vault send the first card of a copy to the acquirer, as orders would. `certs`: the folder of the certificates. */
export async function sendCard(certs: string, port: number, copy: Copy): Promise<ForwardResponse> {
  const [card] = copy.cards
  if (!card) throw new Error('the copy has no card')
  const account = copy.accounts.find(
    ({ seller_id, partner }) => seller_id === card.seller_id && partner === 'acquirer',
  )
  const clientAs = (name: string) =>
    new VaultClient(`127.0.0.1:${port}`, credentialsOf(certs, name), CLIENT_OPTIONS)
  const [gateway, orders] = [clientAs('gateway'), clientAs('orders')]
  const sellerId = card.seller_id
  try {
    const body = Buffer.from(JSON.stringify({ cardToken: { token: card.token } }))
    const { cards } = await callRpc(gateway, gateway.sealCardData, {
      sellerId,
      body,
      kind: CardKind.PAYMENT_CARD,
      invoiceIds: [],
    })
    return await callRpc(orders, orders.forward, {
      sellerId,
      partner: 'acquirer',
      method: 'POST',
      path: '/1/zeroauth',
      headers: {},
      body: Buffer.from(JSON.stringify({ CardNumber: '{{cardNumber}}' })),
      cardToken: '',
      networkToken: '',
      voucherToken: '',
      account: account?.name ?? '',
      handle: cards[0]?.handle ?? '',
      timeoutMs: 5_000,
    })
  } finally {
    gateway.close()
    orders.close()
  }
}

function credentialsOf(certs: string, name: string) {
  const read = (file: string) => readFileSync(join(certs, file), 'utf8')
  return clientCredentials({ ca: read('authority.crt'), cert: read(`${name}.crt`), key: read(`${name}.key`) })
}
