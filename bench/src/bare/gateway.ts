import type { AddressInfo } from 'node:net'
import { AuthorizeOrderRequest, Charge, OrdersClient } from '@cofre/proto/orders/v1/orders'
import { CardKind, type SealCardDataResponse } from '@cofre/proto/vault/v1/vault'
import express, { type Request, type Response } from 'express'
import { asked, clientCredentials, env, vault } from './environment'
import { tellPort } from './tell-port'

// The gateway, bare: Express at its fastest (no etag, its own reader and writer of JSON), one mutual-TLS gRPC call.
// On the bare path the body passes through the vault first. It has no token, checks, limits or log.
const orders = new OrdersClient(env('ORDERS_ADDRESS'), clientCredentials)

const app = express().disable('etag').disable('x-powered-by')
app.post('/api/v2/sellers/:sellerId/orders/credit-card/authorize', (request, response) =>
  answer(request, response),
)
const server = app.listen(0, '127.0.0.1', () => tellPort(null, (server.address() as AddressInfo).port))

async function answer(request: Request, response: Response): Promise<void> {
  const charge = await authorize(Number(request.params['sellerId']), await readBody(request))
  response.writeHead(201, { 'content-type': 'application/json' })
  response.end(JSON.stringify(Charge.toJSON(charge)))
}

async function authorize(sellerId: number, bytes: Buffer): Promise<Charge> {
  const body = await withoutCards(sellerId, bytes)
  const order = AuthorizeOrderRequest.fromPartial({ ...JSON.parse(body.toString()), sellerId })
  return asked<Charge>((done) => orders.authorizeOrder(order, done))
}

async function withoutCards(sellerId: number, body: Buffer): Promise<Buffer> {
  if (!vault) return body
  return (
    await asked<SealCardDataResponse>((done) =>
      vault?.sealCardData({ sellerId, body, kind: CardKind.PAYMENT_CARD, invoiceIds: [] }, done),
    )
  ).body
}

function readBody(request: Request): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => resolve(Buffer.concat(chunks)))
    request.on('error', reject)
  })
}
