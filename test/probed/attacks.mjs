// A program of its own, so that its work holds up only the gateway.
// node attacks.mjs <base URL> <signing key id> <times slower>. Sends its parent the counts of answers each second.
import { randomBytes, randomUUID } from 'node:crypto'
import { connect } from 'node:net'

const [baseUrl, kid, timesSlower] = process.argv.slice(2)
/** 100 connections a second. */
const CONNECT_EVERY_MS = 10 * timesSlower
/** The interval of each other attack, and how many of its requests may be under way. */
const ATTACK_EVERY_MS = 20 * timesSlower
const UNDER_WAY = 20
/** How many connections it keeps open; beyond that it closes the oldest. */
const MAX_OPEN = 1_000
const TELL_EVERY_MS = 1_000

const harvest = {}
function note(what, outcome) {
  const row = (harvest[what] ??= {})
  row[outcome] = (row[outcome] ?? 0) + 1
}

const seconds = () => String(Math.floor(Date.now() / 1_000))
const forgedPush = () => ({
  'webhook-id': `evt_${randomUUID()}`,
  'webhook-timestamp': seconds(),
  'webhook-signature': `v1,${Buffer.alloc(32, 1).toString('base64')}`,
})

async function statusOf(response) {
  await response.arrayBuffer()
  return response.status
}

async function push(headers) {
  const sent = { method: 'POST', headers, body: '{"reference":"r"}' }
  return statusOf(await fetch(`${baseUrl}/partners/token-service/events`, sent))
}

async function useForgedToken() {
  const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claims = { iss: baseUrl, sub: '1', jti: randomUUID(), iat: Number(seconds()) }
  const signature = randomBytes(64).toString('base64url')
  const jwt = `${part({ alg: 'EdDSA', kid })}.${part(claims)}.${signature}`
  return statusOf(await fetch(`${baseUrl}/api/v2/charges`, { headers: { authorization: `Bearer ${jwt}` } }))
}

async function signIn() {
  const page = await fetch(`${baseUrl}/portal/login`)
  const cookie = page.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ')
  const [, formToken = ''] = /name="formToken" value="([^"]*)"/.exec(await page.text()) ?? []
  const email = `guess.${randomUUID()}@example.com`
  const body = new URLSearchParams({ formToken, email, password: 'wrong wrong wrong' })
  return statusOf(await fetch(`${baseUrl}/portal/login`, { method: 'POST', headers: { cookie }, body }))
}

const ATTACKS = [
  ['forged push', () => push(forgedPush())],
  ['unsigned push', () => push({})],
  ['forged token', useForgedToken],
  ['sign-in', signIn],
  ['readyz', async () => statusOf(await fetch(`${baseUrl}/readyz`))],
]
for (const [name, strike] of ATTACKS) {
  let underWay = 0
  const once = async () => {
    underWay += 1
    note(name, await strike().catch(() => 'cut'))
    underWay -= 1
  }
  setInterval(() => {
    if (underWay < UNDER_WAY) void once()
  }, ATTACK_EVERY_MS)
}

/** How connections begin: with silence, with a part of a head, or with a head whose body never comes. */
function beginnings() {
  const signed = Object.entries(forgedPush()).map(([name, value]) => `${name}: ${value}\r\n`)
  return [
    ['silence', ''],
    ['half a head', 'GET /api/v2/charges HTTP/1.1\r\nHost: x\r\nX-Slow: '],
    ['no body', 'GET /.well-known/jwks.json HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n'],
    [
      'slow push',
      `POST /partners/token-service/events HTTP/1.1\r\nHost: x\r\n${signed.join('')}Content-Length: 8000\r\n\r\n{`,
    ],
    ['slow form', 'POST /portal/login HTTP/1.1\r\nHost: x\r\nContent-Length: 8000\r\n\r\ne'],
  ]
}
const { hostname, port } = new URL(baseUrl)
const open = new Set()
let nth = 0
setInterval(() => {
  const kinds = beginnings()
  const [name, beginning] = kinds[nth++ % kinds.length]
  const socket = connect(Number(port), hostname)
  open.add(socket)
  let outcome = 'cut'
  socket.on('data', (bytes) => (outcome = bytes.toString().slice(9, 12)))
  socket.on('error', () => {})
  socket.on('close', () => {
    open.delete(socket)
    note(name, outcome)
  })
  socket.write(beginning)
  if (open.size > MAX_OPEN) [...open][0].destroy()
}, CONNECT_EVERY_MS)

setInterval(() => process.send(harvest), TELL_EVERY_MS)
process.on('disconnect', () => process.exit(0))
