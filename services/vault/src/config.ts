import { fileSetting, readSettings, serviceSettings } from '@cofre/platform/settings'
import { z } from 'zod'
import { keyEncryptionOf, type KeyEncryption } from './key-encryption'
import { partnersSetting } from './partners'

const keyEncryptionKeys = z.string().transform((text, context): KeyEncryption => {
  try {
    return keyEncryptionOf(text)
  } catch (error) {
    context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : 'is bad' })
    return z.NEVER
  }
})

const settings = {
  ...serviceSettings,
  /** Whether to apply migrations before serving. A deployment runs `main.js migrate` as a job of its own instead. */
  MIGRATE_ON_START: z.stringbool().default(false),
  /** Key-encryption keys, lines `id:base64-of-32-bytes`: the first wraps, all unwrap. One of the two must be set. */
  KEY_ENCRYPTION_KEYS_FILE: fileSetting.pipe(keyEncryptionKeys).optional(),
  KEY_ENCRYPTION_KEYS: keyEncryptionKeys.optional(),
  /** JSON: the partners that may be called, and which card fields each may be sent. See README.md. */
  PARTNERS_FILE: fileSetting.pipe(partnersSetting),
} as const

export type Config = ReturnType<typeof readConfig>

/** Reads the environment, once. Throws, naming every setting that is missing or bad. */
export function readConfig(env: NodeJS.ProcessEnv = process.env) {
  const { KEY_ENCRYPTION_KEYS_FILE, KEY_ENCRYPTION_KEYS, ...rest } = readSettings(settings, env)
  const keyEncryption = KEY_ENCRYPTION_KEYS_FILE ?? KEY_ENCRYPTION_KEYS
  if (!keyEncryption)
    throw new Error('settings:\n  KEY_ENCRYPTION_KEYS or KEY_ENCRYPTION_KEYS_FILE is missing')
  return { ...rest, keyEncryption }
}
