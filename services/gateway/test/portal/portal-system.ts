import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startGrpcServer } from '@cofre/platform/grpc/server'
import { openBoot } from '@cofre/platform/service/run-service'
import { createLog } from '@cofre/platform/telemetry/log'
import { createTestDatabase, createTestTls } from '@cofre/testing/testing'
import { createApp } from '../../src/http/app'
import { readConfig } from '../../src/config'
import { openDeps, type Deps } from '../../src/deps'
import { hashPassword } from '../../src/sellers/password'
import { insertPortalUser } from '../../src/sellers/portal-user-store'
import { insertSeller } from '../../src/sellers/seller-store'
import { standIns, type Behind } from './stand-ins'

export const PASSWORD = 'a long enough password'

export type PortalSystem = {
  url: string
  deps: Deps
  behind: Behind
  /** What the service has logged so far. */
  logged(): string
  /** A seller of its own with one portal user. */
  makeSeller(name?: string): Promise<{ sellerId: number; email: string }>
  stop(): Promise<void>
}

/** The gateway's whole HTTP side with a real database, over mutual TLS to small orders and notifier services. */
export async function startPortal(options: { baseUrl?: string } = {}): Promise<PortalSystem> {
  const database = await createTestDatabase(join(__dirname, '../../migrations'))
  const { tlsFor } = await createTestTls()
  const lines: string[] = []
  const log = createLog('gateway', 'info', { write: (text) => void lines.push(text) })
  const behind: Behind = { charges: [], secrets: new Map(), down: false }
  const grpc = await startGrpcServer(
    { host: '127.0.0.1', port: 0, tls: await tlsFor('orders') },
    standIns(createLog('behind', 'silent'), behind),
  )
  const address = `localhost:${grpc.port}`
  const tls = await tlsFor('gateway')
  const config = configFor({ DATABASE_URL: database.url, address, ...options })
  const { boot, close } = openBoot({ name: 'gateway', log, pool: database.pool, tls })
  const deps = await openDeps(config, boot)
  const http = await new Promise<Server>((resolve) => {
    const server = createApp(deps).listen(0, '127.0.0.1', () => resolve(server))
  })
  const makeSeller = async (name = 'Loja') => {
    const { id } = await insertSeller(database.pool, name)
    const email = `ana.${randomBytes(4).toString('hex')}@example.com`
    await insertPortalUser(database.pool, { sellerId: id, email, passwordHash: await hashPassword(PASSWORD) })
    return { sellerId: id, email }
  }
  const stop = async () => {
    await new Promise((resolve) => (http.close(resolve), http.closeAllConnections()))
    await close()
    await grpc.close()
    await database.drop()
  }
  const { port } = http.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, deps, behind, logged: () => lines.join(''), makeSeller, stop }
}

function configFor({
  DATABASE_URL,
  address,
  baseUrl,
}: {
  DATABASE_URL: string
  address: string
  baseUrl?: string
}) {
  const dir = mkdtempSync(join(tmpdir(), 'cofre-portal-'))
  const file = (name: string, text: string) => (writeFileSync(join(dir, name), text), join(dir, name))
  const pem = file('any.pem', 'the clients of this test carry their own')
  const config = readConfig({
    BASE_URL: baseUrl ?? 'http://portal.test',
    DATABASE_URL,
    TLS_CA_FILE: pem,
    TLS_CERT_FILE: pem,
    TLS_KEY_FILE: pem,
    VAULT_ADDRESS: address,
    ORDERS_ADDRESS: address,
    NETWORK_TOKEN_ADDRESS: address,
    NOTIFIER_ADDRESS: address,
    TOKEN_KEY_FILE: file('token.key', randomBytes(32).toString('base64')),
  })
  rmSync(dir, { recursive: true })
  return config
}
