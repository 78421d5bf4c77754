import { readFileSync } from 'node:fs'
import { fileSetting, readSettings, serviceSettings } from '@cofre/platform/service/settings'
import { z } from 'zod'
import { openKeyEncryption, type KeyEncryption } from './keys/key-encryption'
import { partnersSetting } from './partners/partners'

const keyEncryptionKeys = (textOf: (setting: string) => string) =>
  z.string().transform((setting, context): KeyEncryption => {
    try {
      return openKeyEncryption(() => textOf(setting))
    } catch (error) {
      context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : 'is invalid' })
      return z.NEVER
    }
  })

function readKeysFile(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    throw new Error('the file cannot be read')
  }
}

const settings = {
  ...serviceSettings,
  /**
   * Key-encryption keys, lines `id:base64-of-32-bytes`: the first wraps, all unwrap. One of the two settings is needed.
   * Each rotation reads the file again. So does a replica that meets a data key wrapped with a key unknown to it.
   */
  KEY_ENCRYPTION_KEYS: keyEncryptionKeys((text) => text).optional(),
  KEY_ENCRYPTION_KEYS_FILE: keyEncryptionKeys(readKeysFile).optional(),
  /** JSON: the partners that may be called, and the card fields that each may be sent. See README.md. */
  PARTNERS_FILE: fileSetting.pipe(partnersSetting),
} as const

export type Config = ReturnType<typeof readConfig>

/** Reads the environment, once. Throws, naming every setting that is missing or bad. */
export function readConfig(env: NodeJS.ProcessEnv = process.env) {
  const { keyEncryptionKeys: keyEncryption, ...rest } = readSettings(settings, env)
  if (!keyEncryption)
    throw new Error('settings:\n  KEY_ENCRYPTION_KEYS or KEY_ENCRYPTION_KEYS_FILE is missing')
  return { ...rest, keyEncryption }
}
