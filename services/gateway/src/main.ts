import { join } from 'node:path'
import { runService } from '@cofre/platform/service/run-service'
import { readConfig } from './config'
import { openDeps } from './deps'
import { startHttp } from './http/start-http'
import { startTellingDisabled } from './sellers/tell-disabled'
import { gatewayServices } from './server'

runService({
  name: 'gateway',
  migrations: join(__dirname, '../migrations'),
  readConfig,
  openDeps,
  start: async (deps) => [await startHttp(deps), startTellingDisabled(deps)],
  services: gatewayServices,
})
