import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

/** Sends new connections to its ports by turns. An open one stays where it is, as with a Service of Kubernetes. */
export type Balancer = { url: string; inRotation: Set<number>; close(): Promise<void> }

/** Starts a balancer of TCP connections before the programs that listen on `ports` of this machine. */
export async function startBalancer(ports: readonly number[]): Promise<Balancer> {
  const inRotation = new Set(ports)
  const open = new Set<Socket>()
  let turn = 0
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const port = [...inRotation][turn++ % inRotation.size] ?? 0
    const replica = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    for (const [one, other] of [
      [client, replica],
      [replica, client],
    ] as const) {
      open.add(one)
      one.setNoDelay(true)
      one.pipe(other)
      // A reset is passed on as a reset: the other side must not take it for an end.
      one.on('error', () => other.resetAndDestroy())
      one.on('close', () => open.delete(one))
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = async () => {
    for (const socket of open) socket.destroy()
    server.close()
    await once(server, 'close')
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, inRotation, close }
}
