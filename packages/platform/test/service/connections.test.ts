import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { VaultClient } from '@cofre/proto/vault/v1/vault'
import { createTestTls, PATIENT } from '@cofre/testing/testing'
import { createPool } from '../../src/postgres/postgres'
import { openBoot } from '../../src/service/run-service'
import { createLog } from '../../src/telemetry/log'

test('a service connects to another when it starts, before a request needs it', async () => {
  const vault = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
  await once(vault, 'listening')
  const connected = once(vault, 'connection')
  const tls = await (await createTestTls()).tlsFor('orders')
  const pool = createPool({ url: 'postgres://127.0.0.1:1/none', max: 1, name: 'orders' }, () => {})
  const { boot, close } = openBoot({
    name: 'orders',
    log: createLog('orders', 'silent'),
    pool,
    tls,
    rpcTimeoutMs: PATIENT.timeoutMs,
  })
  boot.connect(VaultClient, `127.0.0.1:${(vault.address() as AddressInfo).port}`)
  await connected
  await close()
  await pool.end()
  vault.close()
})
