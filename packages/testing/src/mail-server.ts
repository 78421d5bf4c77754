import { once } from 'node:events'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerDataStream } from 'smtp-server'

/** A received mail: its envelope and its content. */
export type TestMail = Email & { recipients: string[]; user: string | undefined; isSecure: boolean }

/** The server's answer that a test chooses: a status, or no answer at all. Undefined: it takes the mail. */
export type MailAnswer = { status: number } | 'hang' | undefined

type Options = { cert?: string; key?: string; authOptional?: boolean }

/** Starts another company's mail server on this machine. */
export async function startMailServer({ cert, key, authOptional = true }: Options = {}) {
  const mails: TestMail[] = []
  /** Called at each step of a mail. A test makes the server refuse, wait, or hang after it took the mail. */
  const hooks = {
    onFrom: (): MailAnswer => undefined,
    onRecipient: (_address: string): MailAnswer => undefined,
    onMail: (_mail: TestMail): MailAnswer | Promise<MailAnswer> => undefined,
  }
  const open = () =>
    new SMTPServer({
      ...(cert && key ? { cert, key } : { disabledCommands: ['STARTTLS'] }),
      authOptional,
      allowInsecureAuth: true,
      disableReverseLookup: true,
      closeTimeout: 1,
      onAuth: ({ username }, _session, callback) => callback(null, { user: username }),
      onMailFrom: (_address, _session, callback) => tell(hooks.onFrom(), callback),
      onRcptTo: ({ address }, _session, callback) => tell(hooks.onRecipient(address), callback),
      onData: (stream, session, callback) =>
        void take(stream).then(async (email) => {
          const { envelope, user, secure } = session
          const recipients = envelope.rcptTo.map(({ address }) => address)
          const mail = { ...email, recipients, user: user as string | undefined, isSecure: secure }
          const answer = await hooks.onMail(mail)
          if (answer === undefined || answer === 'hang') mails.push(mail)
          return tell(answer, callback)
        }),
    }).on('error', () => {})
  let server = open()
  const listen = async (port: number) => {
    const listening = server.listen(port, '127.0.0.1')
    await once(listening, 'listening')
    return (listening.address() as { port: number }).port
  }
  const leave = () => new Promise<void>((resolve) => server.close(resolve))
  const port = await listen(0)
  const comeBack = async () => {
    server = open()
    await listen(port)
  }
  return { mails, hooks, port, leave, comeBack, close: leave }
}

export type TestMailServer = Awaited<ReturnType<typeof startMailServer>>

async function take(stream: SMTPServerDataStream): Promise<Email> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  return PostalMime.parse(Buffer.concat(chunks))
}

function tell(answer: MailAnswer, callback: (error?: Error | null) => void): void {
  if (answer === 'hang') return
  callback(answer ? Object.assign(new Error('as told'), { responseCode: answer.status }) : null)
}
