import { randomUUID } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { Shelf } from '../shelf'

const TRIES_MAX = 14
const FIRST_PAUSE_MS = 500
const PAUSE_MAX_MS = 60_000
const ANSWER_MAX_MS = 10_000

export const WEBHOOK_FAULTS = ['LOST', 'DOUBLED', 'DELAYED'] as const
/** What happens to the next `times` calls of webhooks. */
export type WebhookFault = { kind: (typeof WEBHOOK_FAULTS)[number]; times: number; delayMs: number }

/** News for a seller. HELD waits for a control, and is MERGED into another; LOST is never sent; GIVEN_UP was tried as often as the bank tries. */
export type Notice = {
  id: string
  url: string
  member: string
  items: readonly object[]
  state: 'WAITING' | 'HELD' | 'TAKEN' | 'MERGED' | 'LOST' | 'GIVEN_UP'
}

/** Posts news to webhooks with the bank's certificate, each until it is answered 2xx, at most 14 times in eight minutes. */
export class WebhookSender {
  holding = false
  private faults: WebhookFault[] = []
  private readonly notices: Shelf<Notice>
  private readonly timers = new Map<string, NodeJS.Timeout>()
  private readonly closing = new AbortController()

  constructor(
    folder: string,
    private readonly tls: { cert: string; key: string },
  ) {
    this.notices = new Shelf(folder, 'notices', ({ id }) => id)
    for (const notice of this.notices.all()) if (notice.state === 'WAITING') this.later(notice, 1, 0)
  }

  send(url: string, member: string, items: readonly object[]): void {
    const notice: Notice = { id: randomUUID(), url, member, items, state: 'WAITING' }
    if (this.holding) return this.notices.save({ ...notice, state: 'HELD' })
    const fault = this.takeFault()
    if (fault?.kind === 'LOST') return this.notices.save({ ...notice, state: 'LOST' })
    this.start(notice, fault?.kind === 'DELAYED' ? fault.delayMs : 0)
    if (fault?.kind === 'DOUBLED') this.start({ ...notice, id: randomUUID() }, 0)
  }

  /** Sends what was held, so many items in each call, and holds nothing more. Returns the number of calls. */
  release(perCall: number): number {
    this.holding = false
    const held = this.notices.all().filter(({ state }) => state === 'HELD')
    const targets = new Map(held.map((notice) => [`${notice.member} ${notice.url}`, notice]))
    let calls = 0
    for (const { url, member } of targets.values()) {
      const items = held.filter((one) => one.url === url && one.member === member).flatMap((one) => one.items)
      for (let at = 0; at < items.length; at += perCall) {
        const some = items.slice(at, at + perCall)
        this.start({ id: randomUUID(), url, member, items: some, state: 'WAITING' }, 0)
        calls += 1
      }
    }
    for (const notice of held) this.notices.save({ ...notice, state: 'MERGED' })
    return calls
  }

  addFault(fault: WebhookFault): void {
    this.faults.push(fault)
  }

  newest(count: number): Notice[] {
    return this.notices.newest(count)
  }

  close(): void {
    this.closing.abort()
    for (const timer of this.timers.values()) clearTimeout(timer)
    this.notices.close()
  }

  private takeFault(): WebhookFault | undefined {
    const [fault, ...others] = this.faults
    if (!fault) return undefined
    this.faults = fault.times > 1 ? [{ ...fault, times: fault.times - 1 }, ...others] : others
    return fault
  }

  private start(notice: Notice, pauseMs: number): void {
    this.notices.save(notice)
    this.later(notice, 1, pauseMs)
  }

  private later(notice: Notice, attempt: number, pauseMs: number): void {
    this.timers.set(notice.id, setTimeout(() => void this.try(notice, attempt), pauseMs).unref())
  }

  private async try(notice: Notice, attempt: number): Promise<void> {
    const taken = await this.deliver(notice)
    if (this.closing.signal.aborted) return
    this.timers.delete(notice.id)
    if (taken) return this.notices.save({ ...notice, state: 'TAKEN' })
    if (attempt === TRIES_MAX) return this.notices.save({ ...notice, state: 'GIVEN_UP' })
    this.later(notice, attempt + 1, Math.min(FIRST_PAUSE_MS * 2 ** (attempt - 1), PAUSE_MAX_MS))
  }

  private deliver({ url, member, items }: Notice): Promise<boolean> {
    const signal = AbortSignal.any([this.closing.signal, AbortSignal.timeout(ANSWER_MAX_MS)])
    const options = { method: 'POST', headers: { 'content-type': 'application/json' }, signal }
    return new Promise((resolve) => {
      const outgoing = url.startsWith('https:')
        ? httpsRequest(url, { ...options, ...this.tls })
        : httpRequest(url, options)
      outgoing.once('response', (incoming) => {
        incoming.resume()
        incoming.once('error', () => resolve(false))
        incoming.once('end', () => resolve(Math.floor((incoming.statusCode ?? 500) / 100) === 2))
      })
      outgoing.once('error', () => resolve(false))
      outgoing.end(JSON.stringify({ [member]: items }))
    })
  }
}
