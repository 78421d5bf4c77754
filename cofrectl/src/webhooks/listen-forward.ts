import { request as sendPlainly } from 'node:http'
import { request as sendSecurely } from 'node:https'
import { whyNoAnswer } from '@cofre/api/webhooks/no-answer'

/** An event as the API sends it to a listener. */
export type Heard = {
  number: number
  webhookId: string
  type: string
  resource: { kind: string; id: number | string }
  headers: Record<string, string>
  body: string
}

/** The result of posting an event: its status, or why there is none, in words and as a code. */
export type Forwarded = Pick<Heard, 'webhookId' | 'type' | 'resource'> & {
  /** Epoch milliseconds. */
  at: number
  status?: number
  error?: string
  errorCode?: string
  durationMs: number
}

export type Target = {
  url: string
  /** Whether the server may have any certificate. */
  skipVerify: boolean
}

/** The same time that an endpoint has. */
const TIMEOUT_MS = 15_000

/** Posts an event once, as to an endpoint. Never throws. */
export async function forward(event: Heard, target: Target): Promise<Forwarded> {
  const { webhookId, type, resource } = event
  const at = Date.now()
  const begun = performance.now()
  const outcome = await post(event, target)
  return { at, webhookId, type, resource, ...outcome, durationMs: Math.round(performance.now() - begun) }
}

async function post(
  { headers, body }: Heard,
  { url, skipVerify }: Target,
): Promise<Pick<Forwarded, 'status' | 'error' | 'errorCode'>> {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  try {
    // Not `fetch`: it can't trust one server alone, and breaks at an answer of 100.
    const send = url.startsWith('https:') ? sendSecurely : sendPlainly
    const status = await new Promise<number | undefined>((resolve, reject) =>
      // No connection rests: a server may close one just as the next event leaves.
      send(url, { method: 'POST', headers, agent: false, signal, rejectUnauthorized: !skipVerify })
        .on('response', (answer) => resolve(answer.destroy().statusCode))
        .on('error', reject)
        .end(body),
    )
    return { status }
  } catch (error) {
    return whyNoAnswer(signal.aborted ? 'timeout' : String((error as { code?: unknown }).code))
  }
}
