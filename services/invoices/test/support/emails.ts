import { callRepeatable } from '@cofre/platform/grpc/client'
import type { Replayable } from '@cofre/platform/grpc/replayable'
import {
  EmailLanguage,
  type Invoice,
  type InvoiceEmail,
  type SendInvoiceEmailRequest,
} from '@cofre/proto/invoices/v1/invoices'
import { startMailServer, type TestMailServer } from '@cofre/testing/mail-server'
import type { EmailDeps } from '../../src/deps'
import type { Mailer } from '../../src/letters/mailer/mailer'
import { smtpMailer } from '../../src/letters/mailer/smtp-mailer'
import { sendEmail, takeEmails } from '../../src/letters/send-emails'
import { startInvoices, type TestInvoices } from './start-invoices'

export type MailingInvoices = TestInvoices & { server: TestMailServer; emailDeps: EmailDeps }

/** Sends to a mail server of a test. */
export function mailerTo({ port }: TestMailServer): Mailer {
  const open = { isSecure: false, mustUpgrade: false, user: undefined, password: '' }
  return smtpMailer({
    server: { host: '127.0.0.1', port, ...open },
    from: { name: 'Cofre', address: 'billing@example.com' },
  })
}

/** The service with a mail server of its own. */
export async function startMailing(
  options: Parameters<typeof startInvoices>[0] = {},
): Promise<MailingInvoices> {
  const server = await startMailServer()
  const mailer = mailerTo(server)
  const invoices = await startInvoices({ ...options, mailer })
  const { pool, log, slipOf, pixOf, bookletOf, cardsOf } = invoices.deps
  const baseUrl = 'https://pay.example.com'
  const emailDeps = {
    pool,
    log,
    slipOf,
    cardsOf,
    pixOf,
    bookletOf,
    mailer,
    baseUrl,
    emailEveryMs: 10,
    emailRetryFirstMs: 30_000,
  }
  const stop = async () => {
    await invoices.stop()
    await server.close()
  }
  return { ...invoices, server, emailDeps, stop }
}

export function mail(
  { client }: Pick<TestInvoices, 'client'>,
  { sellerId, id: invoiceId }: Pick<Invoice, 'sellerId' | 'id'>,
  changes: Partial<SendInvoiceEmailRequest> = {},
): Promise<Replayable<InvoiceEmail>> {
  const language = EmailLanguage.PORTUGUESE
  const request = { sellerId, invoiceId, language, sellerName: 'Padaria Sol', ...changes }
  return callRepeatable(client, client.sendInvoiceEmail, request)
}

/** Runs one turn of the sweeper, which takes the due e-mails and tries them. Returns how many. */
export async function sendDue(deps: EmailDeps): Promise<number> {
  const due = await takeEmails(deps.pool, 100)
  await Promise.all(due.map((email) => sendEmail(deps, email)))
  return due.length
}

/** Lets so much time pass for all waiting e-mails. */
export async function passTime({ pool }: Pick<TestInvoices, 'pool'>, ms: number): Promise<void> {
  await pool.query(
    `UPDATE emails SET ask_at = ask_at - $1 * interval '1 ms', created_at = created_at - $1 * interval '1 ms'
     WHERE status = 'WAITING'`,
    [ms],
  )
}

export type EmailRow = {
  status: string
  kind: string
  cause: string
  asks: number
  recipient: string
  waitMs: number | null
}

export async function emailsOf(
  { pool }: Pick<TestInvoices, 'pool'>,
  { id }: Pick<Invoice, 'id'>,
): Promise<EmailRow[]> {
  const { rows } = await pool.query<EmailRow>(
    `SELECT status, kind, cause, asks, recipient, (extract(epoch FROM ask_at - now()) * 1000)::float8 AS "waitMs"
     FROM emails WHERE invoice_id = $1 ORDER BY id`,
    [id],
  )
  return rows
}

/** Marks an invoice as paid, with the columns that a payment sets. */
export async function pretendPaid({ pool }: Pick<TestInvoices, 'pool'>, { id }: Invoice): Promise<void> {
  await pool.query(
    `WITH moved AS (
       INSERT INTO movements (seller_id, invoice_id, kind, method, amount, principal, fine, interest, fee, at, created_at)
       SELECT seller_id, id, 'PAYMENT', 'EXTERNAL', amount, amount, 0, 0, 0, now(), now() FROM invoices WHERE id = $1)
     UPDATE invoices SET status = 'PAID', payment_date = now(), paid_amount = amount, open_principal = 0,
       close_date = coalesce(close_date, now()) WHERE id = $1`,
    [id],
  )
}
