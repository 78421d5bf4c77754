import { join } from 'node:path'
import { runService } from '@cofre/platform/service/run-service'
import { readConfig } from './config'
import { openDeps } from './deps'
import { startHttp } from './start-http'
import { startTellingDisabled } from './sellers/tell-disabled'
import { startTellingDisputed } from './sellers/tell-disputed'
import { servedOverGrpc } from './server'

runService({
  name: 'gateway',
  migrations: join(__dirname, '../migrations'),
  readConfig,
  openDeps,
  start: async (deps) => [await startHttp(deps), startTellingDisabled(deps), startTellingDisputed(deps)],
  services: servedOverGrpc,
})
