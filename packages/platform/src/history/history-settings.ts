import { z } from 'zod'
import type { History } from './history'
import type { Logger } from '../telemetry/log'
import type { Pool } from '../postgres/postgres'
import { openPostgresHistory } from './postgres-history'
import { fileSetting, type Settings } from '../service/settings'

/** Where history is kept: in MongoDB, or without it in the table `history` of the service's own database. */
export const historySettings = {
  /** `mongodb://…` or `mongodb+srv://…`; may name a database, otherwise it is the service's name. */
  MONGODB_URL: z
    .string()
    .regex(/^mongodb(\+srv)?:\/\/\S+$/, 'must be mongodb://… or mongodb+srv://…')
    .optional(),
  /** PEM of an authority to trust in place of the system's; the connection is encrypted then. */
  MONGODB_CA_FILE: fileSetting.optional(),
} as const

export type HistorySettings = Settings<typeof historySettings>

export async function openHistory(
  { mongodbUrl: url, mongodbCa: ca }: HistorySettings,
  name: string,
  { pool, log }: { pool: Pool; log: Logger },
): Promise<History> {
  if (url === undefined) return openPostgresHistory(pool, log)
  // Loaded only where it is used: it takes 30 MB and a part of a second.
  const { openMongoHistory } = await import('@cofre/platform/history/mongo-history')
  return openMongoHistory({ url, name, ca }, log)
}
