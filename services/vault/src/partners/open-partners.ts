import { readFileSync } from 'node:fs'
import type { Logger } from '@cofre/platform/telemetry/log'
import { openDiscovery, type PathOf } from './discovery'
import { openLines, type Lines } from './lines'
import type { PartnerSetting } from './partners'

export type OpenPartner = { name: string; setting: PartnerSetting; lines: Lines; pathOf: PathOf }
/** The open partners, by name. */
export type Partners = ReadonlyMap<string, OpenPartner>

export function openPartners(settings: Record<string, PartnerSetting>, log: Logger): Partners {
  return new Map(
    Object.entries(settings).map(([name, setting]) => {
      const ca = setting.caFile === undefined ? undefined : readFileSync(setting.caFile, 'utf8')
      const lines = openLines(name, setting, ca)
      const pathOf = openDiscovery({ url: setting.url, connection: lines.shared.api }, log)
      return [name, { name, setting, lines, pathOf }]
    }),
  )
}

export async function closePartners(partners: Partners): Promise<void> {
  await Promise.all([...partners.values()].map(({ lines }) => lines.close()))
}
