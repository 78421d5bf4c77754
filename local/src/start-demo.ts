import { readFileSync } from 'node:fs'
import { certificateFiles } from './certificates'
import { openAdmin } from '@cofre/cofrectl/admin-client'
import { readConnection } from '@cofre/cofrectl/connection'
import { identitySecretFile } from './keys'
import { makeDemoSellers, PORTAL_EMAIL } from './demo-sellers'
import type { Ready } from './ready-file'
import { saveState, type SavedState } from './saved-state'
import { baseUrlOf, inboxUrlOf, metricsUrlsOf, sandboxUrlOf, type Surroundings } from './system-programs'

/** Makes the demo sellers of a running system. Returns all that a user needs to know about it. */
export async function makeDemo(
  { run, ports }: Surroundings,
  state: SavedState,
): Promise<{ ready: Omit<Ready, 'pids'>; cardToken: string }> {
  const files = certificateFiles(run, 'cofrectl')
  const addresses = {
    gatewayAddress: `localhost:${ports.gateway}`,
    ordersAddress: `localhost:${ports.orders}`,
    vaultAddress: `localhost:${ports.vault}`,
  }
  const admin = openAdmin(readConnection({ ...addresses, ...files }, {}, run.dir))
  const baseUrl = baseUrlOf(ports)
  try {
    const save = (changed: SavedState) => saveState(run, changed)
    const clientSecret = readFileSync(identitySecretFile(run), 'utf8').trim()
    const { certFile, keyFile } = certificateFiles(run, 'seller')
    const clientPair = {
      certificate: readFileSync(certFile, 'utf8'),
      privateKey: readFileSync(keyFile, 'utf8'),
    }
    const making = { admin, baseUrl, clientSecret, clientPair, state, save }
    const { demo, second, portalPassword, cardToken } = await makeDemoSellers(making)
    const ready = {
      baseUrl,
      token: demo.token,
      sellerId: demo.sellerId,
      secondSeller: second,
      sandboxUrl: sandboxUrlOf(ports),
      sandboxInboxUrl: inboxUrlOf(ports),
      caFile: files.caFile,
      portal: { url: `${baseUrl}/portal`, email: PORTAL_EMAIL, password: portalPassword },
      metrics: metricsUrlsOf(ports),
    }
    return { ready, cardToken }
  } finally {
    admin.close()
  }
}
