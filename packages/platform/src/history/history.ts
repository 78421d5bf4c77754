import type { ListPage } from '../list-page'

/** Something that happened, written once and looked up by people. Nothing of it is a card's number. */
export type HistoryEntry = {
  /** Made by whoever writes it: written again, it is the same entry. */
  id: string
  /** Epoch milliseconds; 30 days later it is forgotten. */
  at: number
  /** 0: nobody's. */
  sellerId: number
  /** What it is about, and looked up by: a request id, a delivery. */
  subject: string
  /** What it is filtered by. */
  facts: HistoryFacts
  /** The rest, JSON. */
  detail: string
}

export type HistoryFacts = Readonly<Record<string, string | number>>

export type HistoryQuery = {
  sellerId: number
  subject?: string | undefined
  /** Facts by name; each must be one of the values. */
  facts?: Readonly<Record<string, readonly (string | number)[]>>
  /** Epoch milliseconds, inclusive. */
  from?: number | undefined
  to?: number | undefined
  page: number
  size: number
  /** The id of the entry that the page follows, whatever `page` says. */
  after?: string | undefined
}

export type HistoryPage = ListPage<HistoryEntry>

export const HISTORY_KEPT_MS = 30 * 24 * 60 * 60 * 1_000

/**
 * A month of what happened. Two adapters keep this contract: PostgreSQL, in the service's own database, and MongoDB. A
 * store that does not answer in time is SERVICE_UNAVAILABLE.
 */
export type History = {
  /** Resolves when the store has them for good. After a failure any of them may be there: append them all again. */
  append(entries: readonly HistoryEntry[]): Promise<void>
  /** Newest first. Throws PAGE_TOO_DEEP. */
  find(query: HistoryQuery): Promise<HistoryPage>
  get(sellerId: number, id: string): Promise<HistoryEntry | undefined>
  close(): Promise<void>
}
