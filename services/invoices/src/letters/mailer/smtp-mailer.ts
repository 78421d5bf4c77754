import { createSecureContext, rootCertificates } from 'node:tls'
import { createTransport } from 'nodemailer'
import type { MailAddress, MailServer } from './mail-settings'
import type { Mail, Mailer, MailOutcome } from './mailer'

/**
 * The limit of one sending. It is shorter than the lease of an e-mail, so that nobody else sends it meanwhile. It is
 * also shorter than the time that a process has to stop.
 */
const SEND_MS = 28_000
const CONNECT_MS = 8_000
const SILENCE_MS = 25_000

/** Some servers ask for a password only when they get the recipient (RFC 4954, 6). */
const SIGN_IN_FIRST = 530

/** Exactly one address: the library reads several from a text with commas or brackets. */
const ONE_ADDRESS = /^[^\s<>(),;:"[\]\\@]+@[^\s<>(),;:"[\]\\@]+$/

export type SmtpOptions = {
  server: MailServer
  from: MailAddress
  /** PEM of an authority to trust besides the usual ones. */
  authority?: string | undefined
  /** How long one sending may take in all. */
  sendMs?: number
}

/** Sends each letter over a connection of its own: one that hangs holds up no other. */
export function smtpMailer({ server, from, authority, sendMs = SEND_MS }: SmtpOptions): Mailer {
  const { host, port, isSecure: secure, mustUpgrade: requireTLS, user, password: pass } = server
  // Made once: reading all authorities again for each letter costs more than the letter.
  const secureContext = createSecureContext({
    minVersion: 'TLSv1.2',
    ...(authority ? { ca: [...rootCertificates, authority] } : {}),
  })
  const transport = createTransport({
    host,
    port,
    secure,
    requireTLS,
    ...(user === undefined ? {} : { auth: { user, pass } }),
    tls: { secureContext },
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    dnsTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    // A letter is text: nothing in it names a file or URL to be read.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1)
  return {
    async send({ to, fromName, messageId, language, replyTo, ...letter }: Mail): Promise<MailOutcome> {
      if (!ONE_ADDRESS.test(to.address)) return { is: 'refused', status: 0 }
      try {
        await transport.sendMail({
          ...letter,
          to,
          from: { name: fromName ?? from.name, address: from.address },
          ...(replyTo !== undefined && ONE_ADDRESS.test(replyTo)
            ? { replyTo: { name: fromName ?? '', address: replyTo } }
            : {}),
          envelope: { from: from.address, to: [to.address] },
          messageId: `<${messageId}@${domain}>`,
          // Asks for no automatic reply, such as a holiday notice (RFC 3834).
          headers: { 'Auto-Submitted': 'auto-generated', 'Content-Language': language },
          signal: AbortSignal.timeout(sendMs),
        })
        return { is: 'sent' }
      } catch (error) {
        return outcomeOf(error)
      }
    },
  }
}

/**
 * Only a refusal of this recipient or this letter is final. A refused sender or password is a fault of our settings,
 * and must lose no e-mail.
 */
function outcomeOf(error: unknown): MailOutcome {
  const { code, command, responseCode: status } = factsOf(error)
  const isOfLetter = (command === 'RCPT TO' || command === 'DATA') && status !== SIGN_IN_FIRST
  if (status !== undefined && status >= 500 && isOfLetter) return { is: 'refused', status }
  // The library itself found that the server can't take this address.
  if (code === 'EENVELOPE' && status === undefined) return { is: 'refused', status: 0 }
  return { is: 'failed', code: code ?? 'unknown', ...(status === undefined ? {} : { status }) }
}

/** The facts of a library's error, without any that quotes the server or the address. */
function factsOf(error: unknown): { code?: string; command?: string; responseCode?: number } {
  return typeof error === 'object' && error !== null ? error : {}
}
