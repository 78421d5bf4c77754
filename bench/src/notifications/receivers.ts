import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** `lastAtMs`: the time of the last new event's arrival, by the clock of `process.hrtime`. */
export type Counts = {
  requests: number
  distinct: number
  repeated: number
  outOfOrder: number
  lastAtMs: number
}
export type Sample = { path: string; headers: Record<string, string>; body: string }

export type ToReceivers = { ask: 'counts' | 'arrivals' | 'samples' | 'reset'; number: number }
type Told = { counts: Counts; arrivals?: [webhookId: string, atMs: number][]; samples?: Sample[] }
export type FromReceivers = { port: number } | { arrived: string } | (Told & { number: number })

/** How a receiver answers: at once, after 90 ms, never, or with 429 and Retry-After. */
export type Manner = 'answer' | 'slow' | 'hang' | 'busy'

export type Receivers = Awaited<ReturnType<typeof startReceivers>>

/** Starts sellers' servers in their own process. */
export async function startReceivers() {
  const child = fork(join(__dirname, '../../dist/notifications/receiver-program.js'), {
    serialization: 'advanced',
  })
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  const asked = new Map<number, (told: Told) => void>()
  let onArrival: ((webhookId: string) => void) | undefined
  let number = 0
  child.on('message', (message: FromReceivers) => {
    if ('arrived' in message) onArrival?.(message.arrived)
    else if ('number' in message) {
      asked.get(message.number)?.(message)
      asked.delete(message.number)
    }
  })
  const ask = (what: ToReceivers['ask']): Promise<Told> =>
    new Promise((resolve) => {
      number += 1
      asked.set(number, resolve)
      child.send({ ask: what, number } satisfies ToReceivers)
    })
  return {
    pid: child.pid ?? 0,
    /** Returns the URL of receiver `which` of a seller. In `name`, `timed` keeps arrivals and `told` reports each. */
    urlOf: (sellerId: number, which: number, manner: Manner = 'answer', name = 'hooks') =>
      `http://127.${sellerId}.${which >> 8}.${(which & 255) + 1}:${port}/${manner}/${name}`,
    counts: async () => (await ask('counts')).counts,
    arrivals: async () => new Map((await ask('arrivals')).arrivals),
    samples: async () => (await ask('samples')).samples ?? [],
    reset: async () => void (await ask('reset')),
    onArrival: (then: typeof onArrival) => void (onArrival = then),
    stop: async () => {
      child.disconnect()
      await once(child, 'exit')
    },
  }
}

/** Returns milliseconds by the receivers' clock. */
export function nowMs(): number {
  return Number(process.hrtime.bigint()) / 1e6
}
