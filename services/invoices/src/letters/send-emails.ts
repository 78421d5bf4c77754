import { databaseNow } from '@cofre/platform/service/database-clock'
import type { Loop } from '@cofre/platform/service/lifecycle'
import { manyAtOnce } from '@cofre/platform/service/many-at-once'
import type { Pool } from '@cofre/platform/postgres/postgres'
import { now } from '../clock/billing-clock'
import type { EmailDeps } from '../deps'
import { GIVE_UP_MS, isTrue, nextTry } from './queue/email'
import { leaseEmails, postponeEmail, endEmail, type DueEmail } from './queue/email-store'
import { readInvoice } from '../invoice/store/invoice-store'
import { composeLetter } from './compose-letter'
import { countTried, type Mail, type MailOutcome } from './mailer/mailer'

/** Longer than one sending may take (mailer/smtp-mailer.ts): nobody else sends it meanwhile. */
const LEASE_MS = 60_000
const AT_ONCE = 8

/** The dependencies of one sending. */
export type SendingDeps = Omit<EmailDeps, 'emailEveryMs'>

/** How an attempt to send an e-mail ended. */
type Ended = { is: 'outdated' } | { is: 'expired' } | MailOutcome

/** Sends e-mails that are due until stopped, several at once; any number of replicas may run. */
export function startSendingEmails(
  deps: EmailDeps,
  mayTake: () => Promise<boolean> = async () => true,
): Loop {
  return manyAtOnce<DueEmail>(
    {
      atOnce: AT_ONCE,
      nameOf: ({ id }) => id,
      take: async (batch, inHand) => ((await mayTake()) ? takeEmails(deps.pool, batch, inHand) : []),
      work: async (email) => void (await sendEmail(deps, email)),
    },
    deps.emailEveryMs,
    (err) => deps.log.error({ err }, 'sending e-mails failed'),
  )
}

/** Takes e-mails for this caller alone, for a minute. */
export function takeEmails(
  pool: Pool,
  batch: number,
  inHand: readonly (string | number)[] = [],
): Promise<DueEmail[]> {
  return leaseEmails(pool, { at: databaseNow(), firstMs: LEASE_MS, maxMs: LEASE_MS, batch, inHand })
}

/**
 * Sends one e-mail that was taken, and returns how that ended. Must not fail: an e-mail whose end is not saved is taken
 * again after its lease.
 */
export async function sendEmail(deps: SendingDeps, email: DueEmail): Promise<Ended['is'] | undefined> {
  const { id: emailId, sellerId, invoiceId, kind, asks } = email
  const logged = { emailId, sellerId, invoiceId, kind, tries: asks }
  try {
    const { is, ...more } = await attempt(deps, email)
    await write(deps, email, is)
    deps.log[is === 'sent' ? 'info' : 'warn']({ ...logged, outcome: is, ...more }, 'e-mail tried')
    countTried(kind, is)
    return is
  } catch (err) {
    deps.log.error({ ...logged, err }, 'e-mail not tried')
    return undefined
  }
}

async function attempt({ pool, mailer, ...more }: SendingDeps, email: DueEmail): Promise<Ended> {
  const { sellerId, invoiceId: id, kind, language, sellerName, transactionId, facts } = email
  const at = now()
  if (databaseNow() - email.createdAt > GIVE_UP_MS) return { is: 'expired' }
  const invoice = await readInvoice(pool, { sellerId, id })
  if (!isTrue(kind, invoice, at)) return { is: 'outdated' }
  const paper = { invoice, kind, language, sellerName, transactionId, refund: facts }
  const mail: Mail = {
    ...(await composeLetter({ pool, ...more }, paper, at)),
    to: { name: invoice.customer.name, address: email.recipient },
    fromName: sellerName,
    messageId: email.messageId,
    language,
  }
  return mailer.send(mail)
}

async function write({ pool, emailRetryFirstMs }: SendingDeps, { id, asks }: DueEmail, is: Ended['is']) {
  if (is === 'failed') return postponeEmail(pool, id, nextTry(databaseNow(), asks, emailRetryFirstMs))
  const ends = { sent: 'SENT', refused: 'REFUSED', outdated: 'OUTDATED', expired: 'EXPIRED' } as const
  return endEmail(pool, id, ends[is])
}
