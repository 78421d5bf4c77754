import type { Running } from '@cofre/platform/service/run-service'
import type { Deps } from '../deps'
import { createApp } from './app'
import { startHttpServer } from './http-server'

/** Serves the API, its reference and the portal. */
export async function startHttp(deps: Deps): Promise<Running> {
  const { httpHost: host, httpPort: port, httpTimeoutMs: timeoutMs, httpDrainMs: drainMs } = deps.config
  const { httpMaxConnections: maxConnections, trustedProxies } = deps.config
  // All connections of a proxy come from its address.
  const maxOfAddress = trustedProxies === 0 ? Math.ceil(maxConnections / 2) : undefined
  const bounds = { maxConnections, ...(maxOfAddress === undefined ? {} : { maxOfAddress }) }
  const server = await startHttpServer({ host, port, timeoutMs, drainMs, ...bounds }, createApp(deps))
  deps.log.info({ httpPort: server.port }, 'the API is served')
  return { stop: () => server.close() }
}
