import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** A TCP line to a server that a test can cut, as when the server's machine is gone. */
export async function openLine(target: { host: string; port: number }) {
  const open = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(target)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(from)
      from.on('error', () => to.destroy()).on('close', () => (open.delete(from), to.destroy()))
      from.pipe(to)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const cut = async () => {
    if (!server.listening) return
    const closed = new Promise((resolve) => server.close(resolve))
    for (const socket of open) socket.destroy()
    await closed
  }
  return { port: (server.address() as AddressInfo).port, cut }
}
