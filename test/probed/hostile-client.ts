import { connect, type Socket } from 'node:net'
import { hiddenFields, openBrowser } from '../../services/gateway/test/portal/browser'

/** What the hostile client was answered: by attack and status, how often. */
export type Harvest = Record<string, Record<string, number>>
export type HostileClient = { harvest(): Harvest; stop(): Promise<void> }

/** 100 connections a second. */
const CONNECT_EVERY_MS = 10
/** Each other attack so often, while it has not more than these under way. */
const ATTACK_EVERY_MS = 20
const UNDER_WAY = 20
/** It keeps so many connections open; the oldest makes room. */
const MAX_OPEN = 1_000

const seconds = () => String(Math.floor(Date.now() / 1_000))
const forgedPush = () => ({
  'webhook-id': `evt_${Math.random()}`,
  'webhook-timestamp': seconds(),
  'webhook-signature': `v1,${Buffer.alloc(32, 1).toString('base64')}`,
})

/** Attacks the gateway from one address, with no token, until it is stopped. `kid`: of the key that signs tokens. */
export function attack(baseUrl: string, kid: string): HostileClient {
  const harvest: Harvest = {}
  const note = (what: string, outcome: string | number) => {
    const row = (harvest[what] ??= {})
    row[outcome] = (row[outcome] ?? 0) + 1
  }
  const connecting = openSlowConnections(new URL(baseUrl), note)
  const attacks: [name: string, strike: () => Promise<number>][] = [
    ['forged push', () => push(baseUrl, forgedPush())],
    ['unsigned push', () => push(baseUrl, {})],
    ['forged token', () => useForgedToken(baseUrl, kid)],
    ['sign-in', () => signIn(baseUrl)],
    ['readyz', async () => statusOf(await fetch(`${baseUrl}/readyz`))],
  ]
  const striking = attacks.map(([name, strike]) => repeatedly(name, strike, note))
  const stop = async () => {
    connecting.stop()
    await Promise.all(striking.map((each) => each.stop()))
  }
  return { harvest: () => structuredClone(harvest), stop }
}

type Note = (what: string, outcome: string | number) => void

function repeatedly(name: string, strike: () => Promise<number>, note: Note) {
  const underWay = new Set<Promise<void>>()
  const timer = setInterval(() => {
    if (underWay.size >= UNDER_WAY) return
    const struck = strike().then(
      (status) => note(name, status),
      () => note(name, 'cut'),
    )
    underWay.add(struck)
    void struck.finally(() => underWay.delete(struck))
  }, ATTACK_EVERY_MS)
  const stop = async () => {
    clearInterval(timer)
    await Promise.all(underWay)
  }
  return { stop }
}

async function statusOf(response: Response): Promise<number> {
  await response.arrayBuffer()
  return response.status
}

async function push(baseUrl: string, headers: Record<string, string>): Promise<number> {
  const sent = { method: 'POST', headers, body: '{"reference":"r"}' }
  return statusOf(await fetch(`${baseUrl}/partners/token-service/events`, sent))
}

async function useForgedToken(baseUrl: string, kid: string): Promise<number> {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claims = { iss: baseUrl, sub: '1', jti: crypto.randomUUID(), iat: Number(seconds()) }
  const signature = Buffer.from(crypto.getRandomValues(new Uint8Array(64))).toString('base64url')
  const jwt = `${part({ alg: 'EdDSA', kid })}.${part(claims)}.${signature}`
  return statusOf(await fetch(`${baseUrl}/api/v2/charges`, { headers: { authorization: `Bearer ${jwt}` } }))
}

async function signIn(baseUrl: string): Promise<number> {
  const browser = openBrowser(baseUrl)
  const fields = hiddenFields((await browser.get('/portal/login')).text)
  const guess = { email: `guess.${Math.random()}@example.com`, password: 'wrong wrong wrong' }
  return (await browser.post('/portal/login', { ...fields, ...guess })).status
}

/** Connections that say nothing, a part of a head, or a head whose body never comes. */
function openSlowConnections({ hostname, port }: URL, note: Note) {
  const push = Object.entries(forgedPush()).map(([name, value]) => `${name}: ${value}\r\n`)
  const beginnings = [
    ['silence', ''],
    ['half a head', 'GET /api/v2/charges HTTP/1.1\r\nHost: x\r\nX-Slow: '],
    ['no body', 'GET /.well-known/jwks.json HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n'],
    [
      'slow push',
      `POST /partners/token-service/events HTTP/1.1\r\nHost: x\r\n${push.join('')}Content-Length: 8000\r\n\r\n{`,
    ],
    ['slow form', 'POST /portal/login HTTP/1.1\r\nHost: x\r\nContent-Length: 8000\r\n\r\ne'],
  ] as const
  const open = new Set<Socket>()
  let nth = 0
  const timer = setInterval(() => {
    const [name, beginning] = beginnings[nth++ % beginnings.length] as (typeof beginnings)[number]
    const socket = connect(Number(port), hostname)
    open.add(socket)
    let outcome = 'cut'
    socket.on('data', (bytes: Buffer) => (outcome = bytes.toString().slice(9, 12)))
    socket.on('error', () => {})
    socket.on('close', () => (open.delete(socket), note(name, outcome)))
    socket.write(beginning)
    const [oldest] = open
    if (open.size > MAX_OPEN) oldest?.destroy()
  }, CONNECT_EVERY_MS)
  const stop = () => {
    clearInterval(timer)
    for (const socket of open) socket.destroy()
  }
  return { stop }
}
