import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Client } from 'undici'
import { chargeAsk, type Target } from './paths'

const DELIVERY_TIMEOUT_MS = 10_000

/**
 * Measures `count` charges, one after another. Returns the milliseconds from the event's own time, taken just before
 * its commit, to the arrival of its first notification here.
 */
export async function measureDeliveries(target: Target, count: number): Promise<number[]> {
  let arrived = (_createdAt: number) => {}
  const receiver = createServer((request, response) => {
    const at = Date.now()
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      response.writeHead(204).end()
      const event = JSON.parse(Buffer.concat(chunks).toString()) as { createdAt: number }
      arrived(at - event.createdAt)
    })
  })
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
  const client = new Client(target.url)
  const delaysMs: number[] = []
  try {
    for (let at = 0; at < count; at++) {
      const arrival = new Promise<number>((resolve, reject) => {
        arrived = resolve
        const late = new Error(`no notification within ${DELIVERY_TIMEOUT_MS} ms`)
        setTimeout(() => reject(late), DELIVERY_TIMEOUT_MS).unref()
      })
      const { statusCode, body } = await client.request(chargeAsk(target, address))
      const text = await body.text()
      if (statusCode !== 201)
        throw new Error(`a direct charge was answered ${statusCode} ${text.slice(0, 300)}`)
      delaysMs.push(await arrival)
    }
  } finally {
    await client.close()
    receiver.closeAllConnections()
    receiver.close()
  }
  return delaysMs
}
