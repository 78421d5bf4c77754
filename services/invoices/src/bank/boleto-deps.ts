import type { VaultClient } from '@cofre/proto/vault/v1/vault'
import type { Config } from '../config'
import { openBankAccounts, type BankAccounts } from './accounts'
import type { Bank } from './bank'
import { openRestBank } from './rest-bank'

export type BoletoRules = Pick<
  Config,
  'bankTimeoutMs' | 'settleEveryMs' | 'settleFirstMs' | 'settleMaxMs' | 'absenceGraceMs'
>

/** What boletos take. */
export type BoletoDeps = {
  bank: Bank
  accounts: BankAccounts
  rules: BoletoRules
  /** What the bank signs with; undefined: it is not listened to. */
  secret: string | undefined
  /** False: the bank is a sandbox, and what is printed says so. */
  isPayable: boolean
}

export function openBoletoDeps(vault: VaultClient, config: Config): BoletoDeps {
  return {
    bank: openRestBank(vault),
    accounts: openBankAccounts(vault),
    rules: config,
    secret: config.bankSecret,
    isPayable: config.boletosPayable,
  }
}
