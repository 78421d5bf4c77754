import type { VaultClient } from '@cofre/proto/vault/v1/vault'
import { openBankAccounts, type BankAccounts } from '../../boletos/bank/accounts'
import type { BoletoRules } from '../../boletos/bank/boleto-deps'
import { PIX_PARTNER, type PixBank } from './pix-bank'
import { openRestPixBank } from './rest-pix-bank'

/** The dependencies of Pix. An account is named by its Pix key. */
export type PixDeps = { bank: PixBank; accounts: BankAccounts; rules: BoletoRules }

export function openPixDeps(vault: VaultClient, rules: BoletoRules): PixDeps {
  return { bank: openRestPixBank(vault), accounts: openBankAccounts(vault, PIX_PARTNER), rules }
}
