import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { Adapter, AdapterPayload } from 'oidc-provider'
import { Journal } from '../journal'

const ENTRIES_MAX = 20_000
const ISSUED_MAX = 10_000

/** The models that survive a restart. A pending sign-in does not: that person starts again. */
const DURABLE = new Set(['AuthorizationCode', 'AccessToken', 'RefreshToken', 'Grant'])

/** The models whose values nobody but their receivers may hold. */
const SECRET = new Set(['AuthorizationCode', 'AccessToken', 'RefreshToken'])

/** The payload is null once the entry is gone. The time is in epoch milliseconds. */
type Entry = { key: string; payload: AdapterPayload | null; expiresAt: number }

/** The provider's entries, by model and id. On disk, only its hash identifies a code or token. */
export class IdentityStore {
  private readonly entries = new Map<string, Entry>()
  /** The codes and tokens issued since the start, each with its model; only in memory. */
  private readonly given = new Map<string, string>()
  private readonly journal: Journal<Entry>

  constructor(folder: string) {
    this.journal = new Journal(join(folder, 'identity.jsonl'), ({ key }) => key)
    for (const entry of this.journal.open(ENTRIES_MAX)) this.remember(entry)
  }

  find(model: string, id: string): AdapterPayload | undefined {
    const entry = this.entries.get(keyOf(model, id))
    if (!entry?.payload || entry.expiresAt <= Date.now()) return undefined
    return { ...entry.payload, jti: id }
  }

  findByUid(uid: string): AdapterPayload | undefined {
    return [...this.entries.values()].find(({ payload }) => payload?.uid === uid)?.payload ?? undefined
  }

  save(model: string, id: string, { jti, ...payload }: AdapterPayload, expiresAt: number): void {
    if (SECRET.has(model) && this.given.size < ISSUED_MAX) this.given.set(id, model)
    // Only a session is looked up by another value than its id, so it keeps its id; it stays in memory.
    this.keep({
      key: keyOf(model, id),
      payload: DURABLE.has(model) ? payload : { ...payload, jti },
      expiresAt,
    })
  }

  /** Returns the first 10,000 codes and tokens that were issued, oldest first. */
  issued(): { kind: string; value: string }[] {
    return Array.from(this.given, ([value, kind]) => ({ kind, value }))
  }

  /** Marks an entry as consumed, in seconds, as the provider counts. */
  consume(model: string, id: string): void {
    const entry = this.entries.get(keyOf(model, id))
    if (entry?.payload) {
      this.keep({ ...entry, payload: { ...entry.payload, consumed: Math.floor(Date.now() / 1_000) } })
    }
  }

  remove(model: string, id: string): void {
    this.forget(keyOf(model, id))
  }

  /** Removes the codes and tokens of a grant. */
  removeOfGrant(grantId: string): void {
    for (const { key, payload } of this.entries.values()) if (payload?.grantId === grantId) this.forget(key)
  }

  close(): void {
    this.journal.close()
  }

  private forget(key: string): void {
    if (this.entries.has(key)) this.keep({ key, payload: null, expiresAt: 0 })
  }

  private keep(entry: Entry): void {
    if (DURABLE.has(modelOf(entry.key))) this.journal.append(entry)
    this.remember(entry)
    if (this.entries.size > ENTRIES_MAX) this.prune()
  }

  private remember(entry: Entry): void {
    if (entry.payload) this.entries.set(entry.key, entry)
    else this.entries.delete(entry.key)
  }

  private prune(): void {
    const now = Date.now()
    for (const { key, expiresAt } of this.entries.values()) if (expiresAt <= now) this.entries.delete(key)
    const oldest = this.entries.keys().next().value
    if (this.entries.size > ENTRIES_MAX && oldest !== undefined) this.entries.delete(oldest)
  }
}

/** Returns the store as the adapter that the provider expects. */
export function adapterOf(store: IdentityStore): (model: string) => Adapter {
  return (model) => ({
    upsert: async (id, payload, expiresIn) => {
      store.save(model, id, payload, expiresIn ? Date.now() + expiresIn * 1_000 : Number.MAX_SAFE_INTEGER)
    },
    find: async (id) => store.find(model, id),
    findByUid: async (uid) => store.findByUid(uid),
    // Codes that a person types belong to another flow.
    findByUserCode: async () => undefined,
    consume: async (id) => store.consume(model, id),
    destroy: async (id) => store.remove(model, id),
    revokeByGrantId: async (grantId) => store.removeOfGrant(grantId),
  })
}

function keyOf(model: string, id: string): string {
  return `${model}:${createHash('sha256').update(id).digest('hex')}`
}

function modelOf(key: string): string {
  return key.slice(0, key.indexOf(':'))
}
