import type { Running } from '@cofre/platform/service/run-service'
import type { Deps } from './deps'
import { createApp } from './app'
import type { Refusal } from './http/client-errors'
import { startHttpServer } from './http/http-server'

/** Serves the HTTP that SERVE names. */
export async function startHttp(deps: Deps): Promise<Running> {
  const { httpHost: host, httpPort: port, httpTimeoutMs: timeoutMs, httpDrainMs: drainMs } = deps.config
  const { httpMaxConnections: maxConnections, trustedProxies } = deps.config
  // All connections of a proxy come from its address.
  const maxOfAddress = trustedProxies === 0 ? Math.ceil(maxConnections / 2) : undefined
  const bounds = { maxConnections, ...(maxOfAddress === undefined ? {} : { maxOfAddress }) }
  const { baseUrl, log } = deps
  const tellRefusal = (refusal: Refusal) => log.info(refusal, 'no HTTP request')
  const options = { host, port, timeoutMs, drainMs, baseUrl, tellRefusal, ...bounds }
  const server = await startHttpServer(options, createApp(deps))
  log.info({ httpPort: server.port, serve: deps.config.serve }, 'HTTP is served')
  return { stop: () => server.close() }
}
