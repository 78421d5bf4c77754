const TRIES_MAX = 8
const FIRST_PAUSE_MS = 1_000
const ANSWER_MAX_MS = 10_000

/** Posts cases to the platform's address, each until it is taken, for about two minutes. They may arrive in any order. */
export class CaseSender {
  private readonly timers = new Set<NodeJS.Timeout>()
  private readonly closing = new AbortController()

  /** Without a URL nothing is sent. */
  constructor(private readonly url: string | undefined) {}

  send(body: object): void {
    if (this.url !== undefined) void this.try(this.url, JSON.stringify(body), 1)
  }

  close(): void {
    this.closing.abort()
    for (const timer of this.timers) clearTimeout(timer)
  }

  private async try(url: string, body: string, attempt: number): Promise<void> {
    if ((await this.deliver(url, body)) || attempt === TRIES_MAX || this.closing.signal.aborted) return
    const timer = setTimeout(
      () => {
        this.timers.delete(timer)
        void this.try(url, body, attempt + 1)
      },
      FIRST_PAUSE_MS * 2 ** (attempt - 1),
    ).unref()
    this.timers.add(timer)
  }

  private async deliver(url: string, body: string): Promise<boolean> {
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
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
}
