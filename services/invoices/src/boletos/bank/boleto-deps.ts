import type { VaultClient } from '@cofre/proto/vault/v1/vault'
import type { Config } from '../../config'
import { openBankAccounts, type BankAccounts } from './accounts'
import { isAgreement } from '../rules/our-number'
import { BANK_PARTNER, type Bank } from './bank'
import { openRestBank } from './rest-bank'

export type BoletoRules = Pick<
  Config,
  'bankTimeoutMs' | 'resolveEveryMs' | 'resolveFirstMs' | 'resolveMaxMs' | 'absenceGraceMs'
>

/** The dependencies of boletos. */
export type BoletoDeps = {
  bank: Bank
  accounts: BankAccounts
  rules: BoletoRules
  /** The secret with which the bank signs its notices. Undefined when notices are not accepted. */
  secret: string | undefined
  /** False when the bank is a sandbox; printed boletos then say so. */
  isPayable: boolean
}

export function openBoletoDeps(vault: VaultClient, config: Config): BoletoDeps {
  return {
    bank: openRestBank(vault),
    accounts: openBankAccounts(vault, BANK_PARTNER, isAgreement),
    rules: config,
    secret: config.bankSecret,
    isPayable: config.boletosPayable,
  }
}
