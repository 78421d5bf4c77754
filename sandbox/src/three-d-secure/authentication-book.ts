import { join } from 'node:path'
import { Journal } from '../journal'
import type { Authentication } from './authentication'

/** Beyond this number, the oldest authentications are forgotten at the next start. */
const AUTHENTICATIONS_MAX = 50_000

/** Every authentication, in memory and in a journal. */
export class AuthenticationBook {
  private readonly authentications = new Map<string, Authentication>()
  private readonly idsByChallenge = new Map<string, string>()
  private readonly journal: Journal<Authentication>

  constructor(folder: string) {
    this.journal = new Journal(join(folder, 'authentications.jsonl'), ({ id }) => id)
    for (const authentication of this.journal.open(AUTHENTICATIONS_MAX)) this.remember(authentication)
  }

  save(authentication: Authentication): void {
    this.journal.append(authentication)
    this.remember(authentication)
  }

  find(merchantId: string, id: string): Authentication | undefined {
    const authentication = this.get(id)
    return authentication?.merchantId === merchantId ? authentication : undefined
  }

  /** Returns an authentication of any seller. */
  get(id: string): Authentication | undefined {
    return this.authentications.get(id)
  }

  ofChallenge(challengeId: string): Authentication | undefined {
    return this.get(this.idsByChallenge.get(challengeId) ?? '')
  }

  newest(count: number): Authentication[] {
    return [...this.authentications.values()].slice(-count).toReversed()
  }

  get count(): number {
    return this.authentications.size
  }

  close(): void {
    this.journal.close()
  }

  private remember(authentication: Authentication): void {
    this.authentications.set(authentication.id, authentication)
    this.idsByChallenge.set(authentication.challengeId, authentication.id)
  }
}
