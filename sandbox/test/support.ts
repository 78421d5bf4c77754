import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request as httpsRequest } from 'node:https'
import { request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { USUAL_PATHS, type SandboxConfig } from '../src/config'
import { type Sandbox, startSandbox } from '../src/start-sandbox'
import { testCertificate } from './test-certificate'

/** JSON of any shape: each test checks the parts that it needs. */
export type Json = ReturnType<typeof JSON.parse>
export type Reply = { status: number; headers: Record<string, unknown>; body: Json }
export type CallOptions = { body?: unknown; headers?: Record<string, string>; agent?: Agent }

export type TestSandbox = Sandbox & {
  config: SandboxConfig
  agent: Agent
  call: (method: string, url: string, options?: CallOptions) => Promise<Reply>
  control: (method: string, path: string, body?: unknown) => Promise<Reply>
  restart: () => Promise<TestSandbox>
  end: () => Promise<void>
}

export const MERCHANT = {
  MerchantId: '6f1e9c4a-20d5-4c3b-9a4e-0d7b5f1c2e3a',
  MerchantKey: 'K'.repeat(40),
}

export const WEBHOOK_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

/** Nothing listens at its address: a test reads the redirect to it. */
export const CLIENT = {
  clientId: 'cofre-test',
  clientSecret: 'secret-of-the-client-0123456789',
  redirectUris: ['http://127.0.0.1:8080/partners/ticket/callback'],
  name: 'Padaria Sol',
}
export const OTHER_CLIENT = { ...CLIENT, clientId: 'cofre-other', clientSecret: 'other-secret-0123456789' }

export async function startTestSandbox(change: Partial<SandboxConfig> = {}): Promise<TestSandbox> {
  return open({
    host: '127.0.0.1',
    ports: {
      page: 0,
      inbox: 0,
      acquirer: 0,
      acquirerQuery: 0,
      tokenService: 0,
      voucherIssuer: 0,
      mail: 0,
      bank: 0,
      pixBank: 0,
      threeDSecure: 0,
      chargebacks: 0,
    },
    tls: await testCertificate(),
    dataDir: mkdtempSync(join(tmpdir(), 'sandbox-')),
    captureWindowDays: 7,
    voidSpacingMs: 0,
    tokenService: { delayMs: 0, webhookSecret: WEBHOOK_SECRET },
    bank: {},
    identity: { clients: [CLIENT, OTHER_CLIENT], accessTokenSeconds: 300, paths: USUAL_PATHS },
    ...change,
  })
}

async function open(config: SandboxConfig): Promise<TestSandbox> {
  const sandbox = await startSandbox(config)
  // Opens one connection for each attempt, even if `localhost` has several addresses.
  const agent = new Agent({ ca: config.tls.cert, keepAlive: true, autoSelectFamily: false })
  const call = (method: string, url: string, options: CallOptions = {}) =>
    send(method, url, { agent, ...options })
  const stop = async () => {
    agent.destroy()
    await sandbox.close()
  }
  return {
    ...sandbox,
    config,
    agent,
    call,
    control: (method, path, body) => call(method, `${sandbox.url}${path}`, { body }),
    restart: async () => {
      await stop()
      return open(config)
    },
    end: async () => {
      await stop()
      rmSync(config.dataDir, { recursive: true })
    },
  }
}

/** Sends a request. Rejects when the connection fails. A string or bytes are sent as they are, other bodies as JSON. */
function send(method: string, url: string, { body, headers, agent }: CallOptions): Promise<Reply> {
  const raw = typeof body === 'string' || Buffer.isBuffer(body)
  const type: Record<string, string> = body === undefined || raw ? {} : { 'Content-Type': 'application/json' }
  const secure = url.startsWith('https:')
  const options = { method, headers: { ...type, ...headers }, ...(secure && { agent }) }
  return new Promise((resolve, reject) => {
    const outgoing = (secure ? httpsRequest : httpRequest)(url, options, (incoming) => {
      const chunks: Buffer[] = []
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.once('error', reject)
      incoming.once('end', () => {
        const text = Buffer.concat(chunks).toString('utf8')
        const json = String(incoming.headers['content-type']).includes('json')
        resolve({
          status: incoming.statusCode ?? 0,
          headers: incoming.headers,
          body: json ? JSON.parse(text) : text,
        })
      })
    })
    outgoing.once('error', reject)
    outgoing.end(body === undefined || raw ? body : JSON.stringify(body))
  })
}
