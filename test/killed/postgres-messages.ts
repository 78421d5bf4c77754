/** One message of PostgreSQL's wire protocol, version 3; the first of a connection has no type. */
export type Message = { type: string; bytes: Buffer }

const FIRST_HEADER_BYTES = 4
const HEADER_BYTES = 5

/** Cuts a stream of bytes into messages. `untypedFirst`: the client's side, whose first message has no type. */
export function messageCutter(untypedFirst: boolean): (chunk: Buffer) => Message[] {
  let rest: Buffer = Buffer.alloc(0)
  let first = untypedFirst
  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    const messages: Message[] = []
    for (;;) {
      const header = first ? FIRST_HEADER_BYTES : HEADER_BYTES
      if (rest.length < header) return messages
      const size = rest.readUInt32BE(header - 4) + (header - 4)
      if (rest.length < size) return messages
      const type = first ? 'startup' : String.fromCharCode(rest[0] ?? 0)
      messages.push({ type, bytes: rest.subarray(0, size) })
      rest = rest.subarray(size)
      first = false
    }
  }
}

/** Returns a reader of the statement that a client's messages run. It remembers prepared statements by name. */
export function statementReader(): (messages: readonly Message[]) => string | undefined {
  const prepared = new Map<string, string>()
  return (messages) => {
    let statement: string | undefined
    for (const { type, bytes } of messages) {
      const texts = () => bytes.toString('utf8', HEADER_BYTES).split('\0')
      if (type === 'Q') statement = texts()[0]
      if (type === 'P') {
        const [name = '', text = ''] = texts()
        prepared.set(name, text)
      }
      if (type === 'B') {
        const [, name = ''] = texts()
        statement = prepared.get(name)
      }
    }
    return statement
  }
}

/** True when the client then waits for an answer: at the end of a query, of a login step or of the connection. */
export function endsTurn({ type }: Message): boolean {
  return ['startup', 'p', 'Q', 'S', 'H', 'X'].includes(type)
}
