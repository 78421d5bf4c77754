import { randomUUID } from 'node:crypto'
import { PushSender } from './push-sender'
import { type NetworkToken, takeStep } from './token'
import type { TokenBook } from './token-book'

/** Runs each token's steps when they are due, and has its pushes sent. A restart continues where it stopped. */
export class LifeCycle {
  /** The delay before a request's outcome and between later steps. A change affects no step that is scheduled. */
  delayMs: number
  private readonly timers = new Map<string, NodeJS.Timeout>()
  private readonly sender: PushSender | undefined

  constructor(
    private readonly tokens: TokenBook,
    { delayMs, webhookSecret }: { delayMs: number; webhookSecret?: string | undefined },
  ) {
    this.delayMs = delayMs
    this.sender = webhookSecret === undefined ? undefined : new PushSender(tokens, webhookSecret)
    for (const token of tokens.all()) {
      this.wait(token)
      this.sender?.send(token.id)
    }
  }

  get pushesOn(): boolean {
    return this.sender !== undefined
  }

  /** Stores a new token and starts its life. */
  begin(token: NetworkToken): void {
    this.tokens.save(token)
    this.wait(token)
  }

  /** Stores the change and notifies the token's requester. */
  change(token: NetworkToken): void {
    const { callbackUrl, status, pushes, updatedAt } = token
    const push = { eventId: `evt_${randomUUID()}`, status, occurredAt: updatedAt }
    const told = this.sender && callbackUrl !== null ? { ...token, pushes: [...pushes, push] } : token
    this.keep(told)
    this.sender?.send(told.id)
  }

  /** Stores a change that the requester itself made, and therefore knows. */
  keep(token: NetworkToken): void {
    this.tokens.save(token)
    if (token.steps.length === 0) this.forget(token.id)
  }

  close(): void {
    for (const id of this.timers.keys()) this.forget(id)
    this.sender?.close()
  }

  private wait({ id, steps, stepAt }: NetworkToken): void {
    if (steps.length === 0) return
    const timer = setTimeout(() => this.step(id), Math.max(0, stepAt - Date.now()))
    this.timers.set(id, timer.unref())
  }

  private step(id: string): void {
    this.timers.delete(id)
    const token = this.tokens.get(id)
    if (!token) return
    const after = takeStep(token, Date.now(), this.delayMs)
    if (after.status !== token.status || after.card !== token.card) this.change(after)
    else this.keep(after)
    this.wait(after)
  }

  private forget(id: string): void {
    clearTimeout(this.timers.get(id))
    this.timers.delete(id)
  }
}
