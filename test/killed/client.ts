import { setTimeout as pause } from 'node:timers/promises'
import type { Ready } from '@cofre/local/ready-file'

export type Request = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  body?: unknown
  key?: string
}
export type Answer = { status: number; body: unknown; replayed: boolean; tries: number }

/** Sends a request until it gets a final answer. Throws when none comes in time. */
export type Client = (request: Request) => Promise<Answer>

const TRY_TIMEOUT_MS = 35_000
const GIVE_UP_AFTER_MS = 180_000
const PAUSE_MS = 150
const PAUSE_MAX_MS = 1_000

/** A client of the demo seller that repeats failed requests with the same Idempotency-Key. */
export function patientClient({ baseUrl, token }: Ready): Client {
  return async ({ method, path, body, key }) => {
    const headers = {
      authorization: `Bearer ${token}`,
      ...(body === undefined || body instanceof FormData ? {} : { 'content-type': 'application/json' }),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    }
    const until = Date.now() + GIVE_UP_AFTER_MS
    let last = ''
    for (let tries = 1; Date.now() < until; tries++) {
      const content = body instanceof FormData ? body : JSON.stringify(body)
      const sent = { method, headers, ...(body === undefined ? {} : { body: content }) }
      const answer = await send(`${baseUrl}${path}`, sent)
      if ('error' in answer) last = answer.error
      else if (!isTemporary(answer)) return { ...answer, tries }
      else last = `${answer.status} ${String(codeOf(answer.body))}`
      const waitMs = 'error' in answer ? PAUSE_MS : answer.retryAfterMs
      await pause(Math.min(waitMs || PAUSE_MS, PAUSE_MAX_MS))
    }
    throw new Error(
      `${method} ${path} (${key}) had no answer in ${GIVE_UP_AFTER_MS / 1_000} s, at last ${last}`,
    )
  }
}

type Sent = { status: number; body: unknown; replayed: boolean; retryAfterMs: number } | { error: string }

async function send(url: string, options: RequestInit): Promise<Sent> {
  try {
    const response = await fetch(url, { ...options, signal: AbortSignal.timeout(TRY_TIMEOUT_MS) })
    const text = await response.text()
    return {
      status: response.status,
      body: text ? JSON.parse(text) : null,
      replayed: response.headers.get('idempotency-replayed') === 'true',
      retryAfterMs: Number(response.headers.get('retry-after') ?? 0) * 1_000,
    }
  } catch (error) {
    return { error: String((error as Error).cause ?? error) }
  }
}

function isTemporary({ status, body }: { status: number; body: unknown }): boolean {
  return status >= 500 || status === 429 || codeOf(body) === 'IDEMPOTENCY_KEY_IN_USE'
}

/** The code of a problem. */
function codeOf(body: unknown): unknown {
  return (body as { code?: unknown } | null)?.code
}
