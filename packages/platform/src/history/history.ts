import type { ListPage } from '../list-page'

/** A record of something that happened, written once and looked up by people. It holds no card number. */
export type HistoryEntry = {
  /** Made by the writer: an entry that is written again under its id stays one entry. */
  id: string
  /** Epoch milliseconds. The entry is deleted 30 days later. */
  at: number
  /** 0: of no seller. */
  sellerId: number
  /** The subject to look the entry up by: a request id, a delivery. */
  subject: string
  /** Values to filter by. */
  facts: HistoryFacts
  /** The rest, as JSON. */
  detail: string
}

export type HistoryFacts = Readonly<Record<string, string | number>>

export type HistoryQuery = {
  sellerId: number
  subject?: string | undefined
  /** The allowed values of each fact, by its name. */
  facts?: Readonly<Record<string, readonly (string | number)[]>>
  /** Epoch milliseconds, inclusive. */
  from?: number | undefined
  to?: number | undefined
  page: number
  size: number
  /** The page follows the entry with this id; `page` is then ignored. */
  after?: string | undefined
  /** Where that entry stood, as the page that ended with it says. */
  place?: string | undefined
}

export type HistoryPage = ListPage<HistoryEntry>

export const HISTORY_KEPT_MS = 30 * 24 * 60 * 60 * 1_000

/**
 * A month of history. Two adapters keep this contract: PostgreSQL, in the service's own database, and MongoDB. A store
 * that does not answer in time is SERVICE_UNAVAILABLE.
 */
export type History = {
  /** Resolves when the entries are stored durably. After a failure some may be stored: append all of them again. */
  append(entries: readonly HistoryEntry[]): Promise<void>
  /** Newest first. Throws PAGE_TOO_DEEP. */
  find(query: HistoryQuery): Promise<HistoryPage>
  get(sellerId: number, id: string): Promise<HistoryEntry | undefined>
  close(): Promise<void>
}
