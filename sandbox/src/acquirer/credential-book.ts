import { join } from 'node:path'
import { Journal } from '../journal'

/** The oldest entries beyond this are forgotten at the next start. */
const ENTRIES_MAX = 200_000
const FORBIDDEN_MS = 30 * 86_400_000

/** `agreed`: the holder's agreement that the card is kept. `forbidden`: Mastercard's advice never to try it again. */
type Fact = 'agreed' | 'forbidden'
type Entry = { key: string; fact: Fact; at: number }

/** What a brand knows of the kept cards of a merchant: a card by its brand and last four digits, and by its token. */
export class CredentialBook {
  private readonly entries = new Map<string, Entry>()
  private readonly journal: Journal<Entry>

  constructor(folder: string) {
    this.journal = new Journal<Entry>(join(folder, 'acquirer-credentials.jsonl'), nameOf)
    for (const entry of this.journal.open(ENTRIES_MAX)) this.entries.set(nameOf(entry), entry)
  }

  note(keys: readonly string[], fact: Fact, at: number): void {
    for (const key of keys) {
      const entry = { key, fact, at }
      if (fact === 'agreed' && this.entries.has(nameOf(entry))) continue
      this.journal.append(entry)
      this.entries.set(nameOf(entry), entry)
    }
  }

  isAgreed(keys: readonly string[]): boolean {
    return keys.some((key) => this.entries.has(nameOf({ key, fact: 'agreed' })))
  }

  isForbidden(keys: readonly string[], now: number): boolean {
    return keys.some((key) => {
      const entry = this.entries.get(nameOf({ key, fact: 'forbidden' }))
      return entry !== undefined && now - entry.at < FORBIDDEN_MS
    })
  }

  close(): void {
    this.journal.close()
  }
}

function nameOf({ key, fact }: Pick<Entry, 'key' | 'fact'>): string {
  return `${fact} ${key}`
}
