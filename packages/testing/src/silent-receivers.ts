import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { createAuthority } from './certificates'

/** Servers of which none answers a request as HTTP wants it, by the reason that a sender should name. */
export async function startSilentReceivers() {
  const open: { server: Server; sockets: Set<Socket> }[] = []
  const listen = async (server: Server): Promise<number> => {
    const sockets = new Set<Socket>()
    server.on('connection', (socket) => sockets.add(socket))
    open.push({ server, sockets })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return (server.address() as AddressInfo).port
  }
  const authority = await createAuthority()
  const secure = async (name: string, options: { days?: number; named?: boolean } = {}) => {
    const pair = await authority.issue(name, options)
    return listen(createSecureServer(pair, (_request, response) => response.end()))
  }
  const plain = (answer: RequestListener) => listen(createHttpServer(answer))
  const raw = (text: string) =>
    listen(createServer((socket) => socket.on('error', () => {}).on('data', () => socket.end(text))))
  const closed = async () => {
    const port = await listen(createHttpServer())
    const server = open.pop()?.server
    await new Promise((resolve) => server?.close(resolve))
    return port
  }
  const urls = {
    CONNECTION_REFUSED: `http://127.0.0.1:${await closed()}`,
    CERTIFICATE_NOT_TRUSTED: `https://127.0.0.1:${await secure('shop')}`,
    CERTIFICATE_EXPIRED: `https://127.0.0.1:${await secure('shop', { days: -1 })}`,
    CERTIFICATE_WRONG_NAME: `https://127.0.0.1:${await secure('shop', { named: false })}`,
    TLS_FAILED: `https://127.0.0.1:${await plain((_request, response) => response.end())}`,
    TIMEOUT: `http://127.0.0.1:${await plain(() => {})}`,
    ANSWER_CUT_OFF: `http://127.0.0.1:${await plain((_request, response) => response.destroy())}`,
    NOT_HTTP: `http://127.0.0.1:${await raw('this is not HTTP\r\n\r\n')}`,
    HEADERS_TOO_LONG: `http://127.0.0.1:${await raw(`HTTP/1.1 200 OK\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`)}`,
  }
  const close = async () => {
    for (const { server, sockets } of open) {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    }
  }
  return { urls, ca: authority.cert, close }
}
