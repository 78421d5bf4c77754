import { eventLogSettings } from '@cofre/platform/events/event-log-settings'
import { integerSetting, readSettings, serviceSettings } from '@cofre/platform/service/settings'

const invoiceSettings = {
  ...serviceSettings,
  ...eventLogSettings,
  /** How often the sweeper looks for invoices that became past due. */
  PAST_DUE_EVERY_MS: integerSetting(1_000, 10, 60_000),
}

export type Config = ReturnType<typeof readConfig>

export function readConfig(env: NodeJS.ProcessEnv = process.env) {
  return readSettings(invoiceSettings, env)
}
