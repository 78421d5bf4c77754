import { Readable } from 'node:stream'
import { buildConnector, Pool as HttpPool } from 'undici'
import { recordDuration } from '../telemetry/metrics'
import { SpanKind, withSpan } from '../telemetry/spans'
import { pastContinue } from './past-continue'

/** The answer of a partner. */
export type PartnerAnswer = { status: number; headers: Record<string, string>; body: Buffer }

/**
 * The three outcomes of a call to another company. `not_sent`: no connection was made, so nothing left this machine
 * and a repeat is safe. `unknown`: something may have left; never repeat, ask.
 */
export type PartnerOutcome =
  | { outcome: 'answered'; answer: PartnerAnswer }
  | { outcome: 'not_sent'; reason: string }
  | { outcome: 'unknown'; reason: string }

export type PartnerCall = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  headers?: Record<string, string>
  /** Pieces are sent as they come. Until the last one has left, the partner can't act: the outcome is `not_sent`. */
  body?: Uint8Array | string | AsyncIterable<Uint8Array>
  timeoutMs: number
  /** The name of the call in the metric: of few. By default its method. */
  route?: string
}

export type Partner = { call(call: PartnerCall): Promise<PartnerOutcome>; close(): Promise<void> }
/** `retire` lets the running calls end and takes no more; `close` cuts them off. */
export type OpenPartner = Partner & { retire(): Promise<void> }

const MAX_ANSWER_BYTES = 1024 * 1024
const CONNECT_TIMEOUT_MS = 3_000
/** The most calls at once: each call has a connection of its own. */
const CONNECTIONS = 256
const neverSent = new WeakSet<object>()

/**
 * A partner at one address; a path in `url` comes before that of each call. `ca`: the authority to trust in place of
 * the system's, PEM. At most `connections` calls run at once (256). One more is `not_sent` at once: it does not wait,
 * so that a partner that hangs holds no more than these. `tokensExpire`: as in `reportedOutcome`. `pair`: the TLS client
 * certificate that its calls are made with. `name`: the partner's name in the metric; by default its host.
 */
export function openPartner(
  url: string,
  {
    ca,
    pair,
    connections = CONNECTIONS,
    maxAnswerBytes = MAX_ANSWER_BYTES,
    tokensExpire,
    name,
  }: {
    name?: string
    ca?: string
    pair?: { cert: string; key: string }
    connections?: number
    maxAnswerBytes?: number
    tokensExpire?: boolean
  } = {},
): OpenPartner {
  const connect = pastContinue(
    buildConnector({
      timeout: CONNECT_TIMEOUT_MS,
      ...(ca ? { ca } : {}),
      ...pair,
    }),
  )
  const { origin, pathname, hostname } = new URL(url)
  const prefix = pathname.replace(/\/$/, '')
  const http = new HttpPool(origin, {
    connections,
    pipelining: 1,
    keepAliveTimeout: 10_000,
    // Marks every failure to connect: the one proof that nothing was sent.
    connect: (target, done) =>
      connect(target, (error, socket) => {
        if (!error) return done(null, socket)
        neverSent.add(error)
        done(error, null)
      }),
  })
  let running = 0
  const call: Partner['call'] = async (asked) => {
    if (running >= connections) return { outcome: 'not_sent', reason: 'too many calls are running' }
    running += 1
    const began = performance.now()
    try {
      const attributes = { 'server.address': hostname }
      const outcome = await withSpan('call partner', SpanKind.CLIENT, attributes, () =>
        callPartner(http, { ...asked, path: `${prefix}${asked.path}` }, maxAnswerBytes),
      )
      recordDuration(
        'partner_call_duration_seconds',
        'How long calls to partners took.',
        performance.now() - began,
        {
          partner: name ?? hostname,
          route: asked.route ?? asked.method,
          outcome: reportedOutcome(outcome, tokensExpire),
          status: statusClass(outcome),
        },
      )
      return outcome
    } finally {
      running -= 1
    }
  }
  return { call, retire: () => http.close(), close: () => http.destroy() }
}

/**
 * The outcome for the metric. `failed`: the partner reports its own failure. `turned_away`: the partner does not know
 * us. `tokensExpire`: calls carry tokens that expire by themselves, so that a 401 is a usual answer.
 */
export function reportedOutcome(
  result: PartnerOutcome,
  tokensExpire = false,
): PartnerOutcome['outcome'] | 'failed' | 'turned_away' {
  if (result.outcome !== 'answered') return result.outcome
  const { status } = result.answer
  if (status === 403 || (status === 401 && !tokensExpire)) return 'turned_away'
  return status >= 500 ? 'failed' : 'answered'
}

/** `2xx` and the like; empty without an answer. */
function statusClass(result: PartnerOutcome): string {
  return result.outcome === 'answered' ? `${Math.floor(result.answer.status / 100)}xx` : ''
}

async function callPartner(
  http: HttpPool,
  call: PartnerCall,
  maxAnswerBytes: number,
): Promise<PartnerOutcome> {
  const signal = AbortSignal.timeout(call.timeoutMs)
  const body = { isWhole: !isStreamed(call.body) }
  try {
    const answered = await http.request({
      method: call.method,
      path: call.path,
      ...(call.headers ? { headers: call.headers } : {}),
      ...(call.body === undefined
        ? {}
        : {
            body: isStreamed(call.body)
              ? Readable.from(untilLast(call.body, body), { highWaterMark: 1 })
              : call.body,
          }),
      signal,
    })
    const bytes = await readAtMost(answered.body, maxAnswerBytes)
    const { statusCode: status, headers } = answered
    return { outcome: 'answered', answer: { status, headers: plainHeaders(headers), body: bytes } }
  } catch (error) {
    const reason = describe(error)
    const notSent = !body.isWhole || (typeof error === 'object' && error !== null && neverSent.has(error))
    return { outcome: notSent ? 'not_sent' : 'unknown', reason }
  }
}

function isStreamed(body: PartnerCall['body']): body is AsyncIterable<Uint8Array> {
  return typeof body === 'object' && Symbol.asyncIterator in body
}

/** Yields the pieces, and notes when only the last one is left: before that, the body is not whole. */
async function* untilLast(
  pieces: AsyncIterable<Uint8Array>,
  body: { isWhole: boolean },
): AsyncGenerator<Uint8Array> {
  let held: Uint8Array | undefined
  for await (const piece of pieces) {
    if (held) yield held
    held = piece
  }
  body.isWhole = true
  if (held) yield held
}

async function readAtMost(body: AsyncIterable<Buffer>, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > limit) throw new Error('the answer is too long')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function plainHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const entries = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value] as const],
  )
  return Object.fromEntries(entries)
}

/** The code of an error. It holds neither our request nor the partner's answer. */
function describe(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown }
  return typeof code === 'string' ? code : String(name)
}
