import { Server } from '@grpc/grpc-js'
import {
  Charge,
  ChargeStatus,
  OrdersService,
  type AuthorizeOrderRequest,
  type OrdersServer,
} from '@cofre/proto/orders/v1/orders'
import type { ForwardResponse } from '@cofre/proto/vault/v1/vault'
import { Pool } from 'pg'
import { asked, env, serverCredentials, vault } from './environment'
import { tellPort } from './tell-port'

// Orders, bare: it serves gRPC with mutual TLS, runs two one-statement transactions and answers at real size.
// On the bare path, it asks the vault to forward the sale in between.
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
  const paymentId = (await sell(sellerId)) ?? '0f0b1c6e-58b1-4d4c-9f1e-6d2a6f5f9b10'
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

async function sell(sellerId: number): Promise<string | undefined> {
  if (!vault) return undefined
  const sale = {
    sellerId,
    partner: 'acquirer',
    method: 'POST',
    path: '/1/sales',
    headers: {},
    body: Buffer.alloc(400, ' '),
    handle: 'h'.repeat(300),
    timeoutMs: 8_000,
    networkToken: '',
    cardToken: '',
    voucherToken: '',
    account: 'm'.repeat(36),
  }
  const { answer } = await asked<ForwardResponse>((done) => vault?.forward(sale, done))
  return (JSON.parse(String(answer?.body)) as { Payment: { PaymentId: string } }).Payment.PaymentId
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
server.bindAsync('127.0.0.1:0', serverCredentials, tellPort)
