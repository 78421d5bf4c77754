import { join } from 'node:path'
import { Journal } from '../journal'

/** The oldest entries beyond this are forgotten at the next start. */
const ENTRIES_MAX = 200_000

/** All entries of one kind by their key, in memory and in a journal. */
export class Shelf<T> {
  private readonly entries = new Map<string, T>()
  private readonly journal: Journal<T>

  constructor(
    folder: string,
    name: string,
    private readonly keyOf: (entry: T) => string,
  ) {
    this.journal = new Journal(join(folder, `pix-${name}.jsonl`), keyOf)
    for (const entry of this.journal.open(ENTRIES_MAX)) this.entries.set(keyOf(entry), entry)
  }

  save(entry: T): void {
    this.journal.append(entry)
    this.entries.set(this.keyOf(entry), entry)
  }

  get(key: string): T | undefined {
    return this.entries.get(key)
  }

  /** The oldest first. */
  all(): T[] {
    return [...this.entries.values()]
  }

  newest(count: number): T[] {
    return this.all().slice(-count).toReversed()
  }

  get count(): number {
    return this.entries.size
  }

  close(): void {
    this.journal.close()
  }
}
