import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { commitNamer, type DatabaseLink } from './commits'
import { endsTurn, messageCutter, statementReader, type Message } from './postgres-messages'
import type { Trap } from './trap'

/** A proxy between a service and a port. `lead` sets the target, before the first connection. */
export type Proxy = { port: number; lead(target: URL): void; close(): Promise<void> }

/** Passes a service's connections on to its database, and reports each moment of a commit (`When`) to the trap. */
export async function startPostgresProxy(link: DatabaseLink, trap: Trap): Promise<Proxy> {
  let target: URL | undefined
  const sockets = new Set<Socket>()
  const server = createServer({ noDelay: true }, (client) => {
    const database = connect({ host: '127.0.0.1', port: Number(target?.port), noDelay: true })
    for (const socket of [client, database]) {
      sockets.add(socket)
      // The end of one side ends the other, as it would without a proxy between them.
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        database.destroy()
      })
    }
    passOn(client, database, link, trap)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    lead: (to) => (target = to),
    close: async () => {
      server.close()
      for (const socket of sockets) socket.destroy()
      await once(server, 'close')
    },
  }
}

function passOn(client: Socket, database: Socket, link: DatabaseLink, trap: Trap): void {
  const ends = [link.service, 'postgres'] as const
  const readStatement = statementReader()
  const nameCommit = commitNamer(link)
  const cutAsked = messageCutter(true)
  const cutAnswered = messageCutter(false)
  let asked: Message[] = []
  /** Takes the answer to a commit in place of the client, until it is whole. */
  let take: ((answer: Buffer) => void) | undefined
  let held: Buffer[] = []

  const die = () => {
    client.destroy()
    database.destroy()
  }
  const turn = async (messages: Message[]) => {
    const bytes = Buffer.concat(messages.map((message) => message.bytes))
    const statement = readStatement(messages)
    const commit = statement === undefined ? undefined : nameCommit(statement)
    if (!commit) return void database.write(bytes)
    if (trap.pass(commit, 'before', ends)) return die()
    const answer = new Promise<Buffer>((resolve) => (take = resolve))
    database.write(bytes)
    const answered = await answer
    if (trap.pass(commit, 'done', ends)) return die()
    client.write(answered)
    // In the next turn of the event loop, when the answer has left.
    setImmediate(() => trap.pass(commit, 'told', ends) && die())
  }
  client.on('data', (chunk: Buffer) => {
    for (const message of cutAsked(chunk)) {
      asked.push(message)
      if (!endsTurn(message)) continue
      void turn(asked)
      asked = []
    }
  })
  database.on('data', (chunk: Buffer) => {
    const whole = cutAnswered(chunk).some(({ type }) => type === 'Z')
    if (!take) {
      client.write(chunk)
      return
    }
    held.push(chunk)
    if (!whole) return
    take(Buffer.concat(held))
    take = undefined
    held = []
  })
}
