import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SERVICE_NAMES } from '@cofre/platform/service/services'

export const REPOSITORY = join(__dirname, '../../..')

/**
 * Writes, under `root`, a small program in place of each service and of the sandbox. It accepts connections with the
 * real one's settings, stores its data in its database, and answers the administration RPCs.
 */
export function writeStandIns(root: string): void {
  cpSync(join(REPOSITORY, 'partners'), join(root, 'partners'), { recursive: true })
  for (const folder of ['sandbox', ...SERVICE_NAMES.map((name) => `services/${name}`)]) {
    const dist = join(root, folder, 'dist')
    mkdirSync(dist, { recursive: true })
    writeFileSync(join(dist, 'main.js'), PROGRAM)
  }
}

/** The settings with which the stand-ins find the packages of the repository. */
export const STAND_IN_SETTINGS = { NODE_PATH: join(REPOSITORY, 'node_modules'), REPOSITORY }

const PROGRAM = String.raw`
const { createServer } = require('node:http')
const { readFileSync } = require('node:fs')
const { basename, dirname, join } = require('node:path')
const name = basename(dirname(__dirname))
const env = process.env

async function openDatabase() {
  const { Pool } = require('pg')
  const pool = new Pool({ connectionString: env.DATABASE_URL })
  pool.on('error', () => {})
  await pool.query('CREATE TABLE IF NOT EXISTS kept (id serial PRIMARY KEY, kind text, body jsonb)')
  const keep = async (kind, body) => {
    const { rows } = await pool.query('INSERT INTO kept (kind, body) VALUES ($1, $2) RETURNING id', [kind, body])
    return rows[0].id
  }
  const list = async (kind) => (await pool.query('SELECT id, body FROM kept WHERE kind = $1 ORDER BY id', [kind])).rows
  return { keep, list }
}

function startGrpc(service, handlers) {
  const grpc = require('@grpc/grpc-js')
  const loaded = require('@grpc/proto-loader').loadSync(name + '/v1/' + name + '.proto', {
    includeDirs: [join(env.REPOSITORY, 'proto')], longs: Number, enums: String, defaults: true,
  })
  const server = new grpc.Server()
  const implementation = Object.fromEntries(Object.entries(handlers).map(([rpc, work]) => [rpc,
    ({ request }, reply) => work(request).then((answer) => reply(null, answer), (error) => reply({ code: 13, details: error.message }))]))
  server.addService(grpc.loadPackageDefinition(loaded)[name].v1[service].service, implementation)
  const [ca, cert, key] = ['CA', 'CERT', 'KEY'].map((which) => readFileSync(env['TLS_' + which + '_FILE']))
  const credentials = grpc.ServerCredentials.createSsl(ca, [{ private_key: key, cert_chain: cert }], true)
  return new Promise((resolve) => server.bindAsync(env.GRPC_HOST + ':' + env.GRPC_PORT, credentials, resolve))
}

function connects(address) {
  return new Promise((resolve) => {
    const socket = require('node:net').connect(Number(address.split(':')[1]), '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false)).unref()
  })
}

async function startGateway() {
  const { keep, list } = await openDatabase()
  await startGrpc('GatewayAdmin', {
    createSeller: async ({ name }) => ({ id: await keep('seller', { name }), name, createdAt: 1 }),
    listSellers: async () => ({ sellers: (await list('seller')).map(({ id, body }) => ({ id, name: body.name })) }),
    createPortalUser: async ({ sellerId, email }) => ({ id: await keep('user', { email }), sellerId, email }),
    createToken: async ({ sellerId }) => ({ accessToken: 'token-' + (await keep('token', { sellerId })) }),
  })
  const server = createServer(async (request, response) => {
    const answer = (status, body) => response.writeHead(status).end(JSON.stringify(body))
    if (request.url === '/readyz') {
      const others = await Promise.all(Object.keys(env).filter((key) => key.endsWith('_ADDRESS')).map((key) => connects(env[key])))
      return answer(others.every(Boolean) ? 200 : 503, {})
    }
    if (!String(request.headers.authorization).startsWith('Bearer token-')) return answer(401, {})
    const card = 'c'.repeat(64)
    if (request.method === 'POST') return answer(201, { token: card, id: await keep('card', {}) })
    return answer(request.url.includes('/cards/') && (await list('card')).length === 0 ? 404 : 200, { token: card })
  })
  server.listen(Number(env.HTTP_PORT), env.HTTP_HOST)
}

async function startOrders() {
  const { keep } = await openDatabase()
  await startGrpc('OrdersAdmin', {
    createEstablishment: async ({ sellerId, networkTokens }) => ({ id: await keep('establishment', { sellerId, networkTokens }), sellerId }),
    listEstablishments: async () => ({ establishments: [] }),
  })
}

async function startVault() {
  await startGrpc('VaultAdmin', { putAccount: async () => ({}) })
}

async function main() {
  if (env.STAND_IN_BROKEN === name) throw new Error(name + ' is broken')
  if (name === 'sandbox') createServer((_request, response) => response.end('{}')).listen(Number(env.SANDBOX_PORT), '127.0.0.1')
  else if (name === 'gateway') await startGateway()
  else if (name === 'orders') await startOrders()
  else if (name === 'vault') await startVault()
  else require('node:net').createServer().listen(Number(env.GRPC_PORT), env.GRPC_HOST)
  console.info(name + ' is serving')
}
process.on('SIGTERM', () => { console.info(name + ' stopped'); process.exit(0) })
main().catch((error) => { console.error(error.message); process.exit(1) })
`
