import { readFileSync } from 'node:fs'
import { Server, ServerCredentials } from '@grpc/grpc-js'
import {
  Charge,
  ChargeStatus,
  OrdersService,
  type AuthorizeOrderRequest,
  type OrdersServer,
} from '@cofre/proto/orders/v1/orders'
import { Pool } from 'pg'
import { tellPort } from './tell-port'

// The lower half of the ceiling: gRPC with mutual TLS in, two one-statement transactions, an answer of real size.
const env = (name: string) => process.env[name] ?? ''
const pool = new Pool({ connectionString: env('DATABASE_URL'), max: 10 })

const INTEND = {
  name: 'intend',
  text: 'INSERT INTO charges (seller_id, amount, customer) VALUES ($1, $2, $3) RETURNING id',
}
const SETTLE = {
  name: 'settle',
  text: "UPDATE charges SET status = 'AUTHORIZED', payment_id = $2, updated_at = now() WHERE id = $1",
}

async function authorize(request: AuthorizeOrderRequest): Promise<Charge> {
  const { sellerId, amount, customer, payments } = request
  const { rows } = await pool.query({ ...INTEND, values: [sellerId, amount, JSON.stringify(customer)] })
  const id = Number(rows[0].id)
  const paymentId = '0f0b1c6e-58b1-4d4c-9f1e-6d2a6f5f9b10'
  await pool.query({ ...SETTLE, values: [id, paymentId] })
  const [status, now] = [ChargeStatus.AUTHORIZED, Date.now()]
  return Charge.fromPartial({
    id,
    sellerId,
    status,
    amount,
    authorizedAmount: amount,
    createdAt: now,
    updatedAt: now,
    payments: payments.map((payment) => {
      const { amount: cents, installments } = payment
      return { amount: cents, installments, installmentAmounts: [cents], status, acquirer: { paymentId } }
    }),
  })
}

const implementation: Pick<OrdersServer, 'authorizeOrder'> = {
  authorizeOrder: ({ request }, reply) => {
    authorize(request).then(
      (charge) => reply(null, charge),
      (error: Error) => reply(error),
    )
  },
}

const server = new Server()
server.addService(OrdersService, implementation)
const pair = {
  private_key: readFileSync(env('TLS_KEY_FILE')),
  cert_chain: readFileSync(env('TLS_CERT_FILE')),
}
const credentials = ServerCredentials.createSsl(readFileSync(env('TLS_CA_FILE')), [pair], true)
server.bindAsync('127.0.0.1:0', credentials, tellPort)
