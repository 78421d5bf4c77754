import { readSettings, serviceSettings } from '@cofre/platform/service/settings'

export type Config = ReturnType<typeof readConfig>

export function readConfig(env: NodeJS.ProcessEnv = process.env) {
  return readSettings(serviceSettings, env)
}
