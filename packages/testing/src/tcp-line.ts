import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export type Line = {
  port: number
  /** While false the line passes nothing on but keeps its connections, as a network does that swallows packets. */
  passes: boolean
  /** Ends the line and its connections, as when the server's machine is gone. */
  cut(): Promise<void>
  /** A URL of the server through this line. */
  through(url: string): string
}

/** Opens a TCP line to a server, which a test can silence or cut. It listens at a free port, or at `at`. */
export async function openLine(target: { host: string; port: number }, at = 0): Promise<Line> {
  const open = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(target)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(from)
      from.on('error', () => {})
      from.on('data', (chunk) => line.passes && to.write(chunk))
      from.on('close', () => (open.delete(from), to.destroy()))
    }
  })
  await new Promise<void>((resolve) => server.listen(at, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const line: Line = {
    port,
    passes: true,
    cut: async () => {
      if (!server.listening) return
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of open) socket.destroy()
      await closed
    },
    through: (url) => Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(port) }).href,
  }
  return line
}

/** A line to the server that a URL names. */
export function openLineTo(url: string): Promise<Line> {
  const { hostname, port } = new URL(url)
  return openLine({ host: hostname, port: Number(port) })
}
