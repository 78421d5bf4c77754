import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Counts, FromReceivers, Sample, ToReceivers } from './receivers'

// Sellers' servers, in their own process. A path begins with the manner of the answer: /answer, /slow, /hang, /busy.
// It listens on all addresses of 127.0.0.0/8: to the notifier, each is a different receiver.

const SAMPLES_MAX = 1_000
const RETRY_AFTER_SECONDS = 5
/** Just fast enough for the notifier to send the next attempts ahead. */
const SLOW_MS = 90

let arrivals = new Map<string, number>()
let distinct = new Set<string>()
let lastOfResource = new Map<string, number>()
let samples: Sample[] = []
let counts: Counts = nothing()

function nothing(): Counts {
  return { requests: 0, distinct: 0, repeated: 0, outOfOrder: 0, lastAtMs: 0 }
}

type Body = { sequence: number; resource: { id: number } }

function note(request: IncomingMessage, path: string, text: string): void {
  // Each address is a different receiver.
  const where = `${request.headers.host}${path}`
  const id = String(request.headers['webhook-id'])
  const atMs = Number(process.hrtime.bigint()) / 1e6
  counts.requests += 1
  const key = `${where} ${id}`
  if (distinct.has(key)) counts.repeated += 1
  else {
    distinct.add(key)
    counts.distinct += 1
    counts.lastAtMs = atMs
    noteOrder(where, JSON.parse(text) as Body)
    if (path.includes('timed')) arrivals.set(id, atMs)
  }
  if (samples.length < SAMPLES_MAX)
    samples.push({ path, body: text, headers: request.headers as Sample['headers'] })
}

function noteOrder(where: string, { sequence, resource }: Body): void {
  const resourceKey = `${where} ${resource.id}`
  if (sequence < (lastOfResource.get(resourceKey) ?? 0)) counts.outOfOrder += 1
  lastOfResource.set(resourceKey, sequence)
}

function answer(path: string, response: ServerResponse): void {
  if (path.startsWith('/hang')) return
  if (path.startsWith('/busy')) response.writeHead(429, { 'retry-after': String(RETRY_AFTER_SECONDS) })
  if (path.startsWith('/slow')) setTimeout(() => response.end(), SLOW_MS)
  else response.end()
}

const server = createServer((request, response) => {
  const path = request.url ?? ''
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    if (path.startsWith('/answer')) note(request, path, Buffer.concat(chunks).toString())
    answer(path, response)
    if (path.includes('told')) tell({ arrived: String(request.headers['webhook-id']) })
  })
})

function tell(message: FromReceivers): void {
  process.send?.(message)
}

process.on('message', ({ ask, number }: ToReceivers) => {
  if (ask === 'reset') {
    arrivals = new Map()
    distinct = new Set()
    lastOfResource = new Map()
    samples = []
    counts = nothing()
  }
  tell({
    number,
    counts,
    ...(ask === 'arrivals' ? { arrivals: [...arrivals] } : {}),
    ...(ask === 'samples' ? { samples } : {}),
  })
})
process.once('disconnect', () => process.exit())

server.keepAliveTimeout = 60_000
server.listen(0, '0.0.0.0', 4_096, () => tell({ port: (server.address() as AddressInfo).port }))
