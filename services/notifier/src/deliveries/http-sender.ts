import type { LookupAddress } from 'node:dns'
import { EventEmitter } from 'node:events'
import type { LookupFunction } from 'node:net'
import { createSecureContext, rootCertificates } from 'node:tls'
import {
  mayConnect,
  plainHost,
  urlFault,
  type OutboundAllowance,
} from '@cofre/platform/outbound/outbound-guard'
import { pastContinue } from '@cofre/platform/outbound/past-continue'
import { buildConnector, Client, type Dispatcher } from 'undici'
import { openKeptConnections, RESTS_MS, type KeptConnections } from './kept-connections'
import { createResolveName, type ResolveName } from './resolve-name'
import { readSnippet } from './response-snippet'
import type { Message, Outcome, Sender } from './sender'

/** Limits the whole attempt: name, connection, sending, the head of the answer. */
const TIMEOUT_MS = 15_000

type Options = { allowed: OutboundAllowance; ca?: string; timeoutMs?: number; resolve?: ResolveName }

/** Errors of a resting connection that its receiver closed as we sent. */
const CLOSED = ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']

/** Where a message goes, and how a connection there is made. */
type Way = { kept: KeptConnections; key: string; connect: () => Client }

/**
 * Posts over HTTP/1.1, one message at a time on a connection. Each message's host name is resolved once, and every
 * address that it has must be allowed. The message uses a connection made to exactly those addresses: a name that
 * changes its addresses in between gains nothing. `ca`: an authority to trust beside the usual ones, PEM.
 */
export function createHttpSender({ allowed, ca, timeoutMs = TIMEOUT_MS, resolve }: Options): Sender {
  const secureContext = ca ? createSecureContext({ ca: [...rootCertificates, ca] }) : undefined
  const addressesOf = resolve ?? createResolveName()
  const kept = openKeptConnections()
  return {
    send: async (message) => {
      if (urlFault(message.url, allowed)) return { error: 'refused_address' }
      const patienceMs = Math.min(timeoutMs, message.timeoutMs ?? timeoutMs)
      const patience = startPatience(patienceMs)
      const url = new URL(message.url)
      const host = plainHost(url.hostname)
      try {
        const addresses = await patience.until(addressesOf(host))
        const safe =
          addresses.length > 0 && addresses.every(({ address }) => mayConnect(host, address, allowed))
        if (!safe) return { error: 'refused_address' }
        const connect = {
          timeout: patienceMs,
          lookup: only(addresses),
          ...(secureContext ? { secureContext } : {}),
        }
        return await post(wayTo(kept, url.origin, addresses, connect), url, message, patience)
      } catch (error) {
        return { error: patience.isOver() ? 'timeout' : codeOf(error) }
      } finally {
        patience.end()
      }
    },
  }
}

function wayTo(
  kept: KeptConnections,
  origin: string,
  addresses: LookupAddress[],
  connect: buildConnector.BuildOptions,
): Way {
  const key = [origin, ...addresses.map(({ address }) => address).sort()].join(' ')
  return {
    kept,
    key,
    connect: () => {
      const client = new Client(origin, {
        connect: pastContinue(buildConnector(connect)),
        keepAliveTimeout: RESTS_MS,
        keepAliveMaxTimeout: RESTS_MS,
      })
      return client.on('disconnect', () => kept.forget(key, client))
    },
  }
}

/**
 * Sends a message. A receiver may close a resting connection just as the message leaves. The `webhook-id` makes the
 * message repeatable, so it is sent once more, over a new connection (RFC 9110, section 9.2.2).
 */
async function post(way: Way, url: URL, message: Message, patience: Patience): Promise<Outcome> {
  const rested = way.kept.take(way.key)
  if (rested) {
    try {
      return await exchange(way, rested, url, message, patience)
    } catch (error) {
      if (patience.isOver() || !CLOSED.includes(codeOf(error))) throw error
    }
  }
  return exchange(way, way.connect(), url, message, patience)
}

async function exchange(
  { kept, key }: Way,
  client: Client,
  url: URL,
  message: Message,
  { signal }: Patience,
): Promise<Outcome> {
  let isWhole = false
  try {
    const answer = await client.request({
      method: 'POST',
      path: `${url.pathname}${url.search}`,
      headers: message.headers,
      body: message.body,
      signal,
    })
    // Reading also lets a polite receiver finish its answer; the status stands whatever becomes of the body.
    const response = await readSnippet(answer.body)
    isWhole = answer.body.readableEnded
    const retryAfterSeconds = retryAfter(answer.headers)
    return {
      status: answer.statusCode,
      response,
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    }
  } finally {
    if (isWhole) kept.keep(key, client)
    else await client.destroy()
  }
}

/** The wait in `Retry-After`, seconds. The header holds seconds or an HTTP date (RFC 9110, section 10.2.3). */
function retryAfter(headers: Dispatcher.ResponseData['headers']): number | undefined {
  const value = headers['retry-after']
  if (typeof value !== 'string') return undefined
  const seconds = /^\d{1,9}$/.test(value)
    ? Number(value)
    : Math.ceil((Date.parse(value) - Date.now()) / 1_000)
  return seconds > 0 ? seconds : undefined
}

/** The lookup of a connection that may only go to these addresses. */
function only(addresses: LookupAddress[]): LookupFunction {
  return (_host, options, done) => {
    const [first] = addresses
    if (options.all) done(null, addresses)
    else done(null, first?.address ?? '', first?.family)
  }
}

type Patience = ReturnType<typeof startPatience>

/** The time that all of an attempt may take. An AbortSignal would cost as much as the signature and the headers together. */
function startPatience(ms: number) {
  const signal = new EventEmitter()
  let isOver = false
  const timer = setTimeout(() => {
    isOver = true
    signal.emit('abort')
  }, ms)
  return {
    /** In the form that undici takes. */
    signal,
    isOver: () => isOver,
    until: <T>(work: Promise<T>) =>
      new Promise<T>((resolve, reject) => {
        signal.once('abort', () => reject(new Error('timeout')))
        work.then(resolve, reject)
      }),
    end: () => clearTimeout(timer),
  }
}

/** The code of an error, which holds nothing of the message or the answer. */
function codeOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown }
  if (code === 'UND_ERR_CONNECT_TIMEOUT') return 'timeout'
  return typeof code === 'string' ? code : String(name)
}
