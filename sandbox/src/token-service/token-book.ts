import { join } from 'node:path'
import { Journal } from '../journal'
import type { NetworkToken } from './token'
import { tokenNumber } from './token-number'

/** The oldest tokens beyond this are forgotten at the next start. */
const TOKENS_MAX = 200_000

/** Every token, in memory and in a journal. */
export class TokenBook {
  private readonly tokens = new Map<string, NetworkToken>()
  private readonly idsByReference = new Map<string, string[]>()
  private readonly idsByNumber = new Map<string, string>()
  private readonly journal: Journal<NetworkToken>
  private lastSequence = 0

  constructor(folder: string) {
    this.journal = new Journal(join(folder, 'token-service-tokens.jsonl'), ({ id }) => id)
    for (const token of this.journal.open(TOKENS_MAX)) this.remember(token)
  }

  save(token: NetworkToken): void {
    this.journal.append(token)
    this.remember(token)
  }

  nextSequence(): number {
    return this.lastSequence + 1
  }

  get(id: string): NetworkToken | undefined {
    return this.tokens.get(id.toLowerCase())
  }

  find(merchantId: string, id: string): NetworkToken | undefined {
    const token = this.get(id)
    return token?.merchantId === merchantId ? token : undefined
  }

  /** Returns a seller's token by its reference; there is at most one. */
  findByReference(merchantId: string, reference: string): NetworkToken | undefined {
    return this.ofReference(reference).find((token) => token.merchantId === merchantId)
  }

  findByNumber(number: string): NetworkToken | undefined {
    return this.get(this.idsByNumber.get(number) ?? '')
  }

  /** Returns every seller's tokens with a reference, newest first. */
  ofReference(reference: string): NetworkToken[] {
    const ids = this.idsByReference.get(reference) ?? []
    return ids.flatMap((id) => this.tokens.get(id) ?? []).toReversed()
  }

  newest(count: number): NetworkToken[] {
    return [...this.tokens.values()].slice(-count).toReversed()
  }

  all(): readonly NetworkToken[] {
    return [...this.tokens.values()]
  }

  get count(): number {
    return this.tokens.size
  }

  close(): void {
    this.journal.close()
  }

  private remember(token: NetworkToken): void {
    const { id, reference, network, sequence } = token
    if (!this.tokens.has(id)) {
      const ids = this.idsByReference.get(reference)
      if (ids) ids.push(id)
      else this.idsByReference.set(reference, [id])
      this.idsByNumber.set(tokenNumber(network, sequence), id)
      this.lastSequence = Math.max(this.lastSequence, sequence)
    }
    this.tokens.set(id, token)
  }
}
