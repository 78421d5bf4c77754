import { once } from 'node:events'
import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import PostalMime from 'postal-mime'
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server'
import type { Faults } from '../faults'
import { reportBug } from '../problem'
import type { Mailbox } from './mailbox'

const MAIL_MAX_BYTES = 1_048_576
const GRACE_MS = 1_000
/** An address without a mailbox. */
const REFUSED = /^refused([+.-].*)?@/i

export type MailServer = { port: number; close: () => Promise<void> }

type Options = { host: string; port: number; tls: { cert: string; key: string } }

/** Starts a mail server: SMTP with STARTTLS, for any user and password. The mailbox shows each accepted mail. */
export async function startMailServer(
  { host, port, tls }: Options,
  faults: Faults,
  mailbox: Mailbox,
): Promise<MailServer> {
  const cut = (session: SMTPServerSession) => sockets.get(keyOf(session))?.destroy()
  const smtp = new SMTPServer({
    ...tls,
    minVersion: 'TLSv1.2',
    authOptional: true,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    size: MAIL_MAX_BYTES,
    closeTimeout: GRACE_MS,
    onAuth: ({ username }, _session, callback) => callback(null, { user: username }),
    onRcptTo: ({ address }, _session, callback) =>
      callback(REFUSED.test(address) ? refusal(550, '5.1.1 No such mailbox') : null),
    onData: (stream, session, callback) => void answer({ faults, mailbox, cut }, stream, session, callback),
  })
  // A client that disconnects is not our error.
  smtp.on('error', () => {})
  const sockets = openSockets(smtp)
  refuseWhileUnreachable(smtp, faults)
  const listening = smtp.listen(port, host)
  await once(listening, 'listening')
  const address = listening.address()
  if (address === null || typeof address === 'string') throw new Error('not listening on a port')
  const close = async () => {
    const closed = new Promise<void>((resolve) => smtp.close(resolve))
    for (const socket of sockets.values()) socket.destroy()
    await closed
  }
  return { port: address.port, close }
}

type Receiver = { faults: Faults; mailbox: Mailbox; cut: (session: SMTPServerSession) => void }

async function answer(
  receiver: Receiver,
  stream: SMTPServerDataStream,
  session: SMTPServerSession,
  callback: (error: Error | null) => void,
): Promise<void> {
  let error: Error | null
  try {
    error = await receive(receiver, stream, session)
  } catch (bug) {
    reportBug(bug)
    error = refusal(451, '4.3.0 Internal error')
  }
  callback(error)
}

/** Receives one mail, with the fault that is due. Returns an error to refuse it, or null. */
async function receive(
  { faults, mailbox, cut }: Receiver,
  stream: SMTPServerDataStream,
  session: SMTPServerSession,
): Promise<Error | null> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  if (stream.sizeExceeded) return refusal(552, '5.3.4 The mail is too long')
  const fault = faults.take('MAIL_SERVER', 'CHANGE')
  if (fault?.kind === 'NOT_REACHED') cut(session)
  if (fault?.kind === 'NOT_REACHED' || fault?.kind === 'HTTP_500') return refusal(451, '4.3.0 Try later')
  await keep(mailbox, Buffer.concat(chunks), session)
  if (fault?.kind === 'ANSWER_LOST') cut(session)
  if (fault?.kind === 'DONE_500') return refusal(451, '4.3.0 Try later')
  if (fault?.kind === 'SLOW') await delay(fault.delayMs, undefined, { ref: false })
  return null
}

async function keep(mailbox: Mailbox, raw: Buffer, { envelope }: SMTPServerSession): Promise<void> {
  const {
    from,
    messageId = '',
    subject = '',
    text = '',
    html = '',
    attachments,
  } = await PostalMime.parse(raw)
  for (const { address: to } of envelope.rcptTo) {
    mailbox.receive({
      from: from?.address ?? '',
      to,
      messageId,
      subject,
      text,
      html,
      attachments: attachments.map(({ filename, mimeType, content }) => ({
        filename,
        contentType: mimeType,
        size: typeof content === 'string' ? Buffer.byteLength(content) : content.byteLength,
      })),
      receivedAt: Date.now(),
    })
  }
}

function refusal(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode })
}

const keyOf = ({
  remoteAddress,
  remotePort,
}: {
  remoteAddress?: string | undefined
  remotePort?: number | undefined
}) => String(remotePort ?? remoteAddress)

/** Returns the open TCP connections by the client's port, with or without TLS. */
function openSockets(smtp: SMTPServer): ReadonlyMap<string, Socket> {
  const sockets = new Map<string, Socket>()
  smtp.server.on('connection', (socket) => {
    const key = keyOf(socket)
    sockets.set(key, socket)
    socket.once('close', () => sockets.delete(key))
  })
  return sockets
}

/** While NOT_REACHED is the next fault, drops each new connection, which uses the fault up once. */
function refuseWhileUnreachable({ server }: SMTPServer, faults: Faults): void {
  faults.onChange(async () => {
    const isUnreachable = faults.peek('MAIL_SERVER', 'CHANGE')?.kind === 'NOT_REACHED'
    server.maxConnections = isUnreachable ? -1 : Number.POSITIVE_INFINITY
  })
  server.on('drop', () => faults.take('MAIL_SERVER', 'CHANGE'))
}
