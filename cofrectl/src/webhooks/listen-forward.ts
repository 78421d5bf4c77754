/** An event as the API sends it to a listener. */
export type Heard = {
  number: number
  webhookId: string
  type: string
  resource: { kind: string; id: number | string }
  headers: Record<string, string>
  body: string
}

/** The result of posting an event: exactly one of status and error. */
export type Forwarded = Pick<Heard, 'webhookId' | 'type' | 'resource'> & {
  /** Epoch milliseconds. */
  at: number
  status?: number
  error?: string
  durationMs: number
}

/** The same time that an endpoint has. */
const TIMEOUT_MS = 15_000

/** Posts an event once, as to an endpoint. Never throws. */
export async function forward(
  { webhookId, type, resource, headers, body }: Heard,
  url: string,
): Promise<Forwarded> {
  const at = Date.now()
  const begun = performance.now()
  const outcome = await post(url, headers, body)
  return { at, webhookId, type, resource, ...outcome, durationMs: Math.round(performance.now() - begun) }
}

async function post(
  url: string,
  headers: Record<string, string>,
  body: string,
): Promise<{ status: number } | { error: string }> {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  try {
    const answer = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal })
    await answer.body?.cancel()
    return { status: answer.status }
  } catch (error) {
    if (signal.aborted) return { error: 'timeout' }
    const { code } = ((error as Error).cause ?? {}) as { code?: string }
    return { error: code ?? 'failed' }
  }
}
