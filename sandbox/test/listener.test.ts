import { get, type IncomingHttpHeaders, type RequestOptions } from 'node:http'
import { listen } from '../src/listener'

test('answers ask clients to drop an idle connection long before the sandbox closes it', async () => {
  const { port, server, close } = await listen((_, res) => res.end('here'), '127.0.0.1', 0)
  try {
    const kept = await headersOf({ port, headers: { connection: 'keep-alive' } })
    const [, seconds] = /^timeout=(\d+)$/.exec(String(kept['keep-alive'])) ?? []
    expect(Number(seconds) * 2_000).toBeLessThan(server.keepAliveTimeout)
    expect((await headersOf({ port, headers: { connection: 'close' } }))['keep-alive']).toBeUndefined()
  } finally {
    await close()
  }
})

function headersOf(options: RequestOptions): Promise<IncomingHttpHeaders> {
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', ...options }, (res) => {
      res.resume().once('end', () => resolve(res.headers))
    }).once('error', reject)
  })
}
