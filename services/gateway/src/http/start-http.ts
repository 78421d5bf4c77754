import type { Running } from '@cofre/platform/service/run-service'
import type { Deps } from '../deps'
import { createApp } from './app'
import { startHttpServer } from './http-server'

/** Serves the API, its reference and the portal. */
export async function startHttp(deps: Deps): Promise<Running> {
  const { httpHost: host, httpPort: port, httpTimeoutMs: timeoutMs, httpDrainMs: drainMs } = deps.config
  const server = await startHttpServer({ host, port, timeoutMs, drainMs }, createApp(deps))
  deps.log.info({ httpPort: server.port }, 'the API is served')
  return { stop: () => server.close() }
}
