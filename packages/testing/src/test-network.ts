import type { ChannelCredentials, Client } from '@grpc/grpc-js'
import { CLIENT_OPTIONS, limitCalls } from '@cofre/platform/grpc/client'
import { startGrpcServer, type ServedService } from '@cofre/platform/grpc/server'
import { clientCredentials, type Tls } from '@cofre/platform/grpc/tls'
import { createTestTls, PATIENT } from './testing'

type ClientOf<C> = new (address: string, credentials: ChannelCredentials, options: object) => C
export type TestServer = { port: number; address: string; close(): Promise<void> }
export type TestNetwork = Awaited<ReturnType<typeof openTestNetwork>>

/** The servers and clients of a test, known to each other by the certificates of one authority. `close` ends them all. */
export async function openTestNetwork() {
  const { authority, tlsFor: issue } = await createTestTls()
  const issued = new Map<string, Promise<Tls>>()
  const closers: (() => unknown)[] = []
  const tlsFor = (name: string): Promise<Tls> => {
    const tls = issued.get(name) ?? issue(name)
    issued.set(name, tls)
    return tls
  }
  /** Serves RPCs under the certificate of `name`. */
  const serve = async (name: string, services: readonly ServedService[]): Promise<TestServer> => {
    const tls = await tlsFor(name)
    const server = await startGrpcServer({ host: '127.0.0.1', port: 0, tls }, services)
    const close = once(() => server.close())
    closers.push(close)
    return { port: server.port, address: `127.0.0.1:${server.port}`, close }
  }
  /** A client that calls with the certificate of `caller`. */
  const clientOf = async <C extends Client>(
    Client: ClientOf<C>,
    address: string,
    caller: string,
  ): Promise<C> => {
    const client = new Client(address, clientCredentials(await tlsFor(caller)), CLIENT_OPTIONS)
    limitCalls(client, PATIENT.timeoutMs)
    closers.push(() => client.close())
    return client
  }
  /** Registers a function that closes something of the test. The last one runs first. */
  const onClose = (close: () => unknown) => void closers.push(close)
  const close = async () => {
    for (const each of closers.splice(0).reverse()) await each()
  }
  return { authority, tlsFor, serve, clientOf, onClose, close }
}

function once(close: () => Promise<void>): () => Promise<void> {
  let closed: Promise<void> | undefined
  return () => (closed ??= close())
}
