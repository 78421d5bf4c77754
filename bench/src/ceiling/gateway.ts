import { readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { credentials } from '@grpc/grpc-js'
import { AuthorizeOrderRequest, Charge, OrdersClient } from '@cofre/proto/orders/v1/orders'
import express, { type Request, type Response } from 'express'
import { tellPort } from './tell-port'

// The upper half of the ceiling: Express in its fastest manner (no etag, its own reader and writer of JSON), one
// gRPC call with mutual TLS. No token, no checks, no limits, no log.
const env = (name: string) => process.env[name] ?? ''
const [ca, key, cert] = ['TLS_CA_FILE', 'TLS_KEY_FILE', 'TLS_CERT_FILE'].map((name) =>
  readFileSync(env(name)),
)
const orders = new OrdersClient(
  env('BACKEND_ADDRESS'),
  credentials.createSsl(ca ?? null, key ?? null, cert ?? null),
)

const app = express().disable('etag').disable('x-powered-by')
app.post('/api/v2/sellers/:sellerId/orders/credit-card/authorize', (request, response) =>
  answer(request, response),
)
const server = app.listen(0, '127.0.0.1', () => tellPort(null, (server.address() as AddressInfo).port))

async function answer(request: Request, response: Response): Promise<void> {
  const charge = await authorize(request)
  response.writeHead(201, { 'content-type': 'application/json' })
  response.end(JSON.stringify(Charge.toJSON(charge)))
}

async function authorize(request: Request): Promise<Charge> {
  const body = JSON.parse((await readBody(request)).toString())
  const order = AuthorizeOrderRequest.fromPartial({ ...body, sellerId: Number(request.params['sellerId']) })
  return new Promise((resolve, reject) => {
    orders.authorizeOrder(order, (error, charge) => (error ? reject(error) : resolve(charge)))
  })
}

function readBody(request: Request): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => resolve(Buffer.concat(chunks)))
    request.on('error', reject)
  })
}
