import type { Logger } from '@cofre/platform/telemetry/log'
import type { Pool } from '@cofre/platform/postgres/postgres'
import type { Boot } from '@cofre/platform/service/run-service'
import { openAccounts, type Accounts } from './accounts/accounts'
import { openBins, type Bins } from './bins/bins'
import type { Config } from './config'
import { openEncryptionKey, type EncryptionKey } from './keys/encryption-key'
import type { KeyEncryption } from './keys/key-encryption'
import { openKeyRing, type KeyRing } from './keys/key-ring'
import { outcomeTeller, type OutcomeTeller } from './partners/outcome-teller'
import { closePartners, openPartners, type Partners } from './partners/open-partners'
import { openTokens, type Tokens } from './tokens/tokens'

/** The dependencies of every RPC. */
export type Deps = {
  log: Logger
  pool: Pool
  partners: Partners
  tellOutcome: OutcomeTeller
  accounts: Accounts
  tokens: Tokens
  bins: Bins
  keyEncryption: KeyEncryption
  keys: KeyRing
  encryptionKey: EncryptionKey
  /** Epoch milliseconds. */
  now(): number
}

/** Wires the service over a migrated database, and makes its keys at the very first start. */
export async function openDeps(
  config: Pick<Config, 'partners' | 'keyEncryption'>,
  { log, pool, onClose }: Boot,
): Promise<Deps> {
  const partners = openPartners(config.partners, log)
  onClose(() => closePartners(partners))
  const { keyEncryption } = config
  const keys = await openKeyRing(pool, keyEncryption)
  const encryptionKey = openEncryptionKey(keys)
  const accounts = openAccounts(pool, keys)
  const bins = await openBins(pool)
  const tellOutcome = outcomeTeller(log)
  const tokens = openTokens(pool, keys)
  const kept = { accounts, tokens, bins, keyEncryption, keys, encryptionKey }
  return { log, pool, partners, tellOutcome, ...kept, now: Date.now }
}
