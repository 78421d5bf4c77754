import { createHmac } from 'node:crypto'
import type { NetworkToken, Push } from './token'
import type { TokenBook } from './token-book'

const TRIES_MAX = 8
const FIRST_PAUSE_MS = 1_000
const ANSWER_MAX_MS = 10_000

/** Sends each token's pushes in order, one at a time, and retries each for about two minutes. */
export class PushSender {
  private readonly busy = new Map<string, NodeJS.Timeout | undefined>()
  private readonly closing = new AbortController()
  private readonly key: Buffer

  /** `secret` is `whsec_` and base64, as in Standard Webhooks. */
  constructor(
    private readonly tokens: TokenBook,
    secret: string,
  ) {
    this.key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  }

  send(tokenId: string): void {
    if (!this.busy.has(tokenId)) void this.try(tokenId, 1)
  }

  close(): void {
    this.closing.abort()
    for (const timer of this.busy.values()) clearTimeout(timer)
  }

  private async try(tokenId: string, attempt: number): Promise<void> {
    const token = this.tokens.get(tokenId)
    const push = token?.pushes[0]
    if (!token || !push) {
      this.busy.delete(tokenId)
      return
    }
    this.busy.set(tokenId, undefined)
    const taken = await this.deliver(token, push)
    if (this.closing.signal.aborted) return
    if (taken || attempt === TRIES_MAX) {
      this.drop(tokenId, push)
      return this.try(tokenId, 1)
    }
    const pause = FIRST_PAUSE_MS * 2 ** (attempt - 1)
    this.busy.set(tokenId, setTimeout(() => void this.try(tokenId, attempt + 1), pause).unref())
  }

  private async deliver(token: NetworkToken, push: Push): Promise<boolean> {
    const { status, occurredAt } = push
    const body = JSON.stringify({ id: token.id, reference: token.reference, status, occurredAt })
    try {
      const response = await fetch(token.callbackUrl ?? '', {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...this.signature(push.eventId, body) },
        body,
        redirect: 'manual',
        signal: AbortSignal.any([this.closing.signal, AbortSignal.timeout(ANSWER_MAX_MS)]),
      })
      await response.body?.cancel()
      return response.ok
    } catch {
      return false
    }
  }

  /** Returns the headers of Standard Webhooks. */
  private signature(id: string, body: string): Record<string, string> {
    const timestamp = String(Math.floor(Date.now() / 1_000))
    const signature = createHmac('sha256', this.key).update(`${id}.${timestamp}.${body}`).digest('base64')
    return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
  }

  /** Removes a push from its token, which may have changed during the delivery. */
  private drop(tokenId: string, push: Push): void {
    const token = this.tokens.get(tokenId)
    if (!token) return
    this.tokens.save({ ...token, pushes: token.pushes.filter(({ eventId }) => eventId !== push.eventId) })
  }
}
