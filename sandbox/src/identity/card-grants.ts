import { join } from 'node:path'
import { Journal } from '../journal'

const GRANTS_MAX = 10_000

/** A person's authorization: one client, one card. */
export type CardGrant = {
  readonly grantId: string
  readonly clientId: string
  readonly email: string
  readonly cardId: string
  readonly revoked: boolean
}

/** Every authorization, in memory and in a journal. */
export class CardGrants {
  private readonly grants = new Map<string, CardGrant>()
  private readonly journal: Journal<CardGrant>

  constructor(folder: string) {
    this.journal = new Journal(join(folder, 'identity-grants.jsonl'), ({ grantId }) => grantId)
    for (const grant of this.journal.open(GRANTS_MAX)) this.grants.set(grant.grantId, grant)
  }

  save(grant: CardGrant): void {
    this.journal.append(grant)
    this.grants.set(grant.grantId, grant)
  }

  /** Returns the grant unless it was revoked. */
  find(grantId: string): CardGrant | undefined {
    const grant = this.grants.get(grantId)
    return grant?.revoked ? undefined : grant
  }

  revoke(grantId: string): void {
    const grant = this.find(grantId)
    if (grant) this.save({ ...grant, revoked: true })
  }

  /** Returns all grants, newest first. */
  list(): CardGrant[] {
    return [...this.grants.values()].toReversed()
  }

  close(): void {
    this.journal.close()
  }
}
