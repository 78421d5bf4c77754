import { createHmac } from 'node:crypto'
import { join } from 'node:path'
import { Journal } from '../journal'
import type { Receipt } from './slip'

const NOTICES_MAX = 200_000
const FIRST_PAUSE_MS = 500
const PAUSE_MAX_MS = 60_000
const ANSWER_MAX_MS = 10_000

/** The news that money arrived for a number. */
export type Notice = { id: string; agreement: string; ourNumber: string; receipt: Receipt; taken: boolean }

/** The secret is `whsec_` and base64, as in Standard Webhooks. Without a URL or a secret, no notice is sent. */
export type NoticeSettings = { webhookUrl?: string | undefined; webhookSecret?: string | undefined }

/** Sends notices of receipts, retrying each until it is accepted. They may arrive in any order. */
export class NoticeSender {
  private readonly notices = new Map<string, Notice>()
  private readonly timers = new Map<string, NodeJS.Timeout>()
  private readonly closing = new AbortController()
  private readonly journal: Journal<Notice>
  private readonly key: Buffer

  constructor(
    folder: string,
    private readonly settings: NoticeSettings,
  ) {
    this.key = Buffer.from((settings.webhookSecret ?? '').replace(/^whsec_/, ''), 'base64')
    this.journal = new Journal(join(folder, 'bank-notices.jsonl'), ({ id }) => id)
    for (const notice of this.journal.open(NOTICES_MAX)) {
      this.notices.set(notice.id, notice)
      if (!notice.taken) this.later(notice, 1, 0)
    }
  }

  /** Sends a notice, also one whose id was sent before. */
  send(notice: Notice): void {
    this.keep(notice)
    this.later(notice, 1, 0)
  }

  ofNumber(ourNumber: string): Notice[] {
    return [...this.notices.values()].filter((notice) => notice.ourNumber === ourNumber)
  }

  close(): void {
    this.closing.abort()
    for (const timer of this.timers.values()) clearTimeout(timer)
    this.journal.close()
  }

  private keep(notice: Notice): void {
    this.journal.append(notice)
    this.notices.set(notice.id, notice)
  }

  private later(notice: Notice, attempt: number, pauseMs: number): void {
    if (!this.settings.webhookUrl || !this.settings.webhookSecret) return
    clearTimeout(this.timers.get(notice.id))
    this.timers.set(notice.id, setTimeout(() => void this.try(notice, attempt), pauseMs).unref())
  }

  private async try(notice: Notice, attempt: number): Promise<void> {
    const taken = await this.deliver(notice)
    if (this.closing.signal.aborted) return
    if (taken) return this.keep({ ...notice, taken })
    this.later(notice, attempt + 1, Math.min(FIRST_PAUSE_MS * 2 ** (attempt - 1), PAUSE_MAX_MS))
  }

  private async deliver({ id, agreement, ourNumber, receipt }: Notice): Promise<boolean> {
    const pagamento = presentReceipt(receipt)
    const body = JSON.stringify({
      id,
      tipo: 'BOLETO_LIQUIDADO',
      numeroConvenio: agreement,
      nossoNumero: ourNumber,
      pagamento,
    })
    try {
      const response = await fetch(this.settings.webhookUrl ?? '', {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...this.signature(id, body) },
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
}

/** Returns a receipt in the bank's format. */
export function presentReceipt({ id, amount, paidAt }: Receipt) {
  return { id, valorPago: amount / 100, dataHora: new Date(paidAt).toISOString() }
}
