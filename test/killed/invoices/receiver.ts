import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export type Post = { webhookId: string; body: string }

/** A seller's endpoint and its notifications, in order. Unlike an inbox of the sandbox, it keeps them all. */
export type Receiver = { url: URL; posts: readonly Post[]; close(): Promise<void> }

/** Starts a receiver of notifications that answers each with 200. */
export async function startReceiver(): Promise<Receiver> {
  const posts: Post[] = []
  const server = createServer((request, response) => {
    const keep = (body: string) => {
      posts.push({ webhookId: String(request.headers['webhook-id']), body })
      response.end()
    }
    // A sender that died in the middle of its body leaves nothing.
    text(request).then(keep, () => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const close = async () => {
    server.close()
    server.closeAllConnections()
    await once(server, 'close')
  }
  return { url: new URL(`http://127.0.0.1:${port}`), posts, close }
}
