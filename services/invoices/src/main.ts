import { join } from 'node:path'
import { runService } from '@cofre/platform/service/run-service'
import { readConfig } from './config'
import { openDeps } from './deps'
import { invoiceServices } from './server'
import { startSweepers } from './sweepers'

runService({
  name: 'invoices',
  migrations: join(__dirname, '../migrations'),
  readConfig,
  openDeps,
  start: startSweepers,
  services: invoiceServices,
})
