import { createSocket } from 'node:dgram'
import { once } from 'node:events'

const A = 1
const NO_SUCH_NAME = 3

/** Starts a DNS server (RFC 1035) for names with one IPv4 address each. It never answers for names in `silent`. */
export async function startNameServer(known: Record<string, string>, silent: RegExp) {
  const asked: string[] = []
  const socket = createSocket('udp4')
  socket.on('message', (query, from) => {
    const { name, type, end } = readQuestion(query)
    asked.push(name)
    if (silent.test(name)) return
    const address = known[name]
    const answered = address !== undefined && type === A
    const header = Buffer.from(query.subarray(0, 12))
    header.writeUInt16BE(0x8180 | (address === undefined ? NO_SUCH_NAME : 0), 2)
    header.writeUInt16BE(answered ? 1 : 0, 6)
    header.writeUInt32BE(0, 8)
    // The name by reference to the question, type A, class IN, 60 s, four bytes.
    const record = [0xc0, 12, 0, A, 0, 1, 0, 0, 0, 60, 0, 4, ...(address ?? '').split('.').map(Number)]
    socket.send(
      Buffer.concat([header, query.subarray(12, end), Buffer.from(answered ? record : [])]),
      from.port,
    )
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const { port } = socket.address()
  return { address: `127.0.0.1:${port}`, asked, close: () => socket.close() }
}

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 }
}
