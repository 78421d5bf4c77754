import { createSecureContext, rootCertificates } from 'node:tls'
import { createTransport } from 'nodemailer'
import type { MailAddress, MailServer } from './mail-settings'
import type { Mail, Mailer, MailOutcome } from './mailer'

/**
 * In all. Shorter than the lease of an e-mail, so that nobody else sends it meanwhile, and than a process has to stop.
 */
const SEND_MS = 28_000
const CONNECT_MS = 8_000
const SILENCE_MS = 25_000

/** Some servers ask for a password only when they hear the recipient (RFC 4954, 6). */
const SIGN_IN_FIRST = 530

/** One address and no more: the library reads several out of a text with commas or brackets. */
const ONE_ADDRESS = /^[^\s<>(),;:"[\]\\@]+@[^\s<>(),;:"[\]\\@]+$/

export type SmtpOptions = {
  server: MailServer
  from: MailAddress
  /** PEM of an authority to trust beside the usual ones. */
  authority?: string | undefined
  /** How long one sending may take in all. */
  sendMs?: number
}

/** Hands each letter to the mail server over a connection of its own: one that hangs holds up itself only. */
export function smtpMailer({ server, from, authority, sendMs = SEND_MS }: SmtpOptions): Mailer {
  const { host, port, isSecure: secure, mustUpgrade: requireTLS, user, password: pass } = server
  // Made once: to read all authorities again for each letter costs more than the letter.
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
    // What a letter holds is text: nothing in it names a file or URL to be read.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1)
  return {
    async send({ to, fromName, messageId, language, ...letter }: Mail): Promise<MailOutcome> {
      if (!ONE_ADDRESS.test(to.address)) return { is: 'refused', status: 0 }
      try {
        await transport.sendMail({
          ...letter,
          to,
          from: { name: fromName ?? from.name, address: from.address },
          envelope: { from: from.address, to: [to.address] },
          messageId: `<${messageId}@${domain}>`,
          // No holiday notice is wanted back (RFC 3834).
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
 * Only what the server says of this recipient or this letter is for good: a refused sender or password is a matter of our
 * settings, and no e-mail is to be lost by it.
 */
function outcomeOf(error: unknown): MailOutcome {
  const { code, command, responseCode: status } = factsOf(error)
  const isOfLetter = (command === 'RCPT TO' || command === 'DATA') && status !== SIGN_IN_FIRST
  if (status !== undefined && status >= 500 && isOfLetter) return { is: 'refused', status }
  // The library itself finds that the server can't take this address.
  if (code === 'EENVELOPE' && status === undefined) return { is: 'refused', status: 0 }
  return { is: 'failed', code: code ?? 'unknown', ...(status === undefined ? {} : { status }) }
}

/** Of what the library throws, nothing that quotes the server or the address. */
function factsOf(error: unknown): { code?: string; command?: string; responseCode?: number } {
  return typeof error === 'object' && error !== null ? error : {}
}
