import { createServer, request } from 'node:http'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'

const DECODE = { gzip: gunzipSync, br: brotliDecompressSync, deflate: inflateSync }
/** Headers of one connection: they are not passed on. */
const HOP_BY_HOP = ['connection', 'keep-alive', 'upgrade', 'http2-settings', 'te', 'trailer']

/**
 * Stands between a client and the product, at `url`, and changes nothing. `calls` has every call with its answer: a
 * tour can't claim a call that it did not make.
 */
export async function startRecorder(target) {
  const calls = []
  const server = createServer((incoming, outgoing) => {
    const { method, url } = incoming
    const headers = without(incoming.headers)
    const outbound = request(new URL(url, target), { method, headers }, (answer) => {
      const parts = []
      outgoing.writeHead(answer.statusCode, without(answer.headers))
      answer.on('data', (part) => parts.push(part))
      answer.on('end', () => {
        const text = readable(Buffer.concat(parts), answer.headers['content-encoding'])
        calls.push({ method, path: url, status: answer.statusCode, text })
      })
      answer.pipe(outgoing)
    })
    outbound.on('error', (error) => outgoing.destroy(error))
    incoming.pipe(outbound)
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const stop = () =>
    new Promise((resolve) => {
      server.close(resolve)
      server.closeAllConnections()
    })
  return { url: `http://127.0.0.1:${server.address().port}`, calls, stop }
}

const without = (headers) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP.includes(name)))

const readable = (bytes, encoding) => (DECODE[encoding] ?? ((same) => same))(bytes).toString()
