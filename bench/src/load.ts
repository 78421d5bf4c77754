import { Client } from 'undici'

export type Ask = { method: 'GET' | 'POST'; path: string; headers?: Record<string, string>; body?: string }

export type Load = {
  url: string
  /** Each client has its own connection and sends its next request once it is answered. */
  clients: number
  seconds: number
  /** Returns the next request; undefined when none is left, which ends the round. */
  next: () => Ask | undefined
  /** The status of a successful answer. */
  expect: number
  /** PEM of the authority to trust, for https. */
  ca?: string
  /** True when an answer with that status is a success. */
  accept?: (body: string) => boolean
}

export type Round = { seconds: number; failures: number; firstFailure?: string; latenciesMs: number[] }

// A limit for machines of unknown speed.
const REQUESTS_MAX = 1_000_000
const ANSWER_TIMEOUT_MS = 30_000

/** Sends requests as fast as they are answered, for `seconds`. */
export async function drive(load: Load): Promise<Round> {
  const round: Round = { seconds: 0, failures: 0, latenciesMs: [] }
  const startedAt = performance.now()
  const until = startedAt + load.seconds * 1_000
  const clients = Array.from({ length: load.clients }, () => openClient(load))
  await Promise.all(clients.map((client) => askUntil(client, load, until, round)))
  round.seconds = (performance.now() - startedAt) / 1_000
  await Promise.all(clients.map((client) => client.close()))
  return round
}

function openClient({ url, ca }: Load): Client {
  return new Client(new URL(url).origin, {
    pipelining: 1,
    headersTimeout: ANSWER_TIMEOUT_MS,
    bodyTimeout: ANSWER_TIMEOUT_MS,
    ...(ca === undefined ? {} : { connect: { ca } }),
  })
}

async function askUntil(client: Client, load: Load, until: number, round: Round): Promise<void> {
  while (performance.now() < until && round.latenciesMs.length < REQUESTS_MAX) {
    const ask = load.next()
    if (!ask) return
    const askedAt = performance.now()
    const { statusCode, body } = await client.request(ask)
    const text = await body.text()
    round.latenciesMs.push(performance.now() - askedAt)
    if (statusCode === load.expect && (load.accept?.(text) ?? true)) continue
    round.failures++
    round.firstFailure ??= `${ask.method} ${ask.path}: ${statusCode} ${text.slice(0, 300)}`
  }
}
