import { notFound, unavailable, type DomainError } from '@cofre/platform/errors'
import { parseUrl } from '@cofre/platform/outbound/parse-url'
import { databaseNow } from '@cofre/platform/service/database-clock'
import type { RegisterPixWebhookRequest, RegisterPixWebhookResponse } from '@cofre/proto/invoices/v1/invoices'
import { now } from '../../clock/billing-clock'
import type { Deps } from '../../deps'
import { findKey, keepKey } from '../../pix/store/pix-account-store'
import { noticesUrlOf } from '../look-at-pix-keys'

/** Registers the address of a seller's Pix key at its bank again, whatever the bank has, and says what it had and has. */
export async function registerPixWebhook(
  deps: Deps,
  { sellerId }: RegisterPixWebhookRequest,
): Promise<RegisterPixWebhookResponse> {
  const { pool, log, pix } = deps
  const account = await pix.accounts.find(sellerId)
  if (account === undefined) throw notFound('The seller has no Pix account at a bank.')
  await keepKey(pool, { account, sellerId, at: now() })
  const key = await findKey(pool, account)
  if (!key) throw new Error('a Pix key is gone')
  const url = noticesUrlOf(deps, key)
  const deadline = () => databaseNow() + pix.rules.bankTimeoutMs
  const before = await pix.bank.reportsTo(key, 'pix', deadline())
  const isTaken = await pix.bank.reportTo(key, 'pix', url, deadline())
  const after = isTaken ? await pix.bank.reportsTo(key, 'pix', deadline()) : undefined
  if (after !== url) throw notRegistered(isTaken)
  log.warn({ sellerId, account }, 'Pix webhook registered by hand')
  return { account, before: shown(before, url), after: shown(after, url) }
}

/** The address without its secret part. Of another system's, only the host. */
function shown(found: string | null | undefined, url: string): string {
  if (found === undefined) return 'UNKNOWN'
  if (found === null) return 'NONE'
  if (found === url) return `${url.slice(0, url.lastIndexOf('/'))}/…`
  const other = parseUrl(found)
  return other ? `${other.origin}/…` : 'UNKNOWN'
}

function notRegistered(isTaken: boolean): DomainError {
  return unavailable(
    isTaken
      ? 'The bank took the address and shows another one.'
      : 'The bank did not take the address. The log of the vault shows its answer.',
  )
}
