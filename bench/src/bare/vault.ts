import { Server } from '@grpc/grpc-js'
import { CardSource, Outcome, VaultService, type VaultServer } from '@cofre/proto/vault/v1/vault'
import { Pool } from 'pg'
import { Pool as HttpPool } from 'undici'
import { saleAsk } from '../paths'
import { authority, env, serverCredentials } from './environment'
import { tellPort } from './tell-port'

// The vault of the bare path: one statement for each call, and one sale at the acquirer over TLS to forward. It has no
// masking, ciphers or allow-lists.
const pool = new Pool({ connectionString: env('DATABASE_URL'), max: 10 })
const acquirer = new HttpPool(env('ACQUIRER_URL'), { connections: 64, connect: { ca: authority.toString() } })
const merchant = { merchantId: env('MERCHANT_ID'), merchantKey: env('MERCHANT_KEY') }
const FIND = { name: 'find', text: 'SELECT bin, last_four FROM cards WHERE token = $1' }
// The order numbers differ from those of the rounds against the acquirer alone.
let sales = 50_000_000

async function find(): Promise<void> {
  await pool.query({ ...FIND, values: ['0'.repeat(64)] })
}

const NOTHING_KEPT = { handle: '', numberKept: false, grantKept: false }

const implementation: Pick<VaultServer, 'sealCardData' | 'forward'> = {
  sealCardData: ({ request }, reply) => {
    const card = { bin: '424242', lastFour: '4242', brand: 'VISA', expirationYear: 2099, expirationMonth: 12 }
    const sealed = {
      pointer: '#/payments/0/cardToken',
      handle: 'h'.repeat(300),
      source: CardSource.CARD_TOKEN,
      card: { ...card, holderName: 'ANA SOUZA' },
      usable: true,
      hasCvv: false,
    }
    const answer = { body: request.body, fingerprint: Buffer.alloc(32), cards: [sealed], errors: [] }
    find().then(() => reply(null, answer), reply)
  },
  forward: (_call, reply) => {
    sell().then(
      (answer) => reply(null, { ...NOTHING_KEPT, outcome: Outcome.ANSWERED, answer, reason: '' }),
      reply,
    )
  },
}

async function sell() {
  await find()
  const { statusCode, body } = await acquirer.request(saleAsk(merchant, sales++))
  return { status: statusCode, headers: {}, body: Buffer.from(await body.arrayBuffer()) }
}

const server = new Server()
server.addService(VaultService, implementation)
server.bindAsync('127.0.0.1:0', serverCredentials, tellPort)
