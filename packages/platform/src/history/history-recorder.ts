import { DomainError } from '../errors'
import type { History, HistoryEntry } from './history'
import { repeat } from '../service/lifecycle'
import type { Logger } from '../telemetry/log'
import { observe } from '../telemetry/metrics'
import { within } from '../within'

/** The limits of the entries that wait to be written: their number, and their characters. */
export type WaitingBounds = { entries: number; characters: number }

const BOUNDS: WaitingBounds = { entries: 20_000, characters: 16_000_000 }
const BATCH_SIZE = 200
const GATHER_MS = 200
const DRAIN_MS = 5_000

export type HistoryRecorder = {
  /** Takes an entry at no cost to the caller; it is written a moment later. Never throws. */
  record(entry: HistoryEntry): void
  /** The numbers of entries that wait to be written, and of entries that were lost. */
  counts(): { waiting: number; lost: number }
  /** Writes the waiting entries, for 5 s at most. */
  stop(): Promise<void>
}

/**
 * Writes history in the background. While the store is away, entries wait within `bounds`. Entries beyond them are
 * lost, and counted.
 */
export function recordHistory(history: History, log: Logger, bounds = BOUNDS): HistoryRecorder {
  const waiting: HistoryEntry[] = []
  let characters = 0
  let lost = 0
  let reported: 'well' | 'away' | 'losing' = 'well'
  const tell = (state: typeof reported, err?: unknown) => {
    if (reported === state || (reported === 'losing' && state === 'away')) return
    reported = state
    log.warn({ ...(err === undefined ? {} : { err }), waiting: waiting.length, lost }, WORDS[state])
  }
  const record = (entry: HistoryEntry) => {
    const size = sizeOf(entry)
    if (waiting.length >= bounds.entries || characters + size > bounds.characters) {
      lost += 1
      return tell('losing')
    }
    waiting.push(entry)
    characters += size
  }
  const write = async () => {
    const batch = waiting.slice(0, BATCH_SIZE)
    if (batch.length === 0) return 0
    lost += await append(history, batch, log)
    waiting.splice(0, batch.length)
    characters -= batch.reduce((sum, entry) => sum + sizeOf(entry), 0)
    tell('well')
    // With less than a batch left, the loop rests and gathers more.
    return waiting.length < BATCH_SIZE ? 0 : batch.length
  }
  const loop = repeat(write, GATHER_MS, (err) => tell('away', err))
  const drain = async () => {
    await loop.stop()
    while (waiting.length > 0) await write()
  }
  const stop = async () => {
    await within(DRAIN_MS, drain(), 'history was not written in time').catch((err: unknown) => {
      lost += waiting.length
      log.warn({ err, lost }, WORDS.losing)
    })
  }
  observe('history_waiting_entries', 'Entries not written yet.', () => waiting.length)
  observe(
    'history_lost_entries',
    'Entries lost because the buffer was full, since the process started.',
    () => lost,
  )
  return { record, counts: () => ({ waiting: waiting.length, lost }), stop }
}

const WORDS = {
  well: 'writing history works again',
  away: 'history not written yet',
  losing: 'history is being lost',
} as const

/** Appends. Leaves out the entries that the store refuses, so that they hold up nothing. Returns how many. */
async function append(history: History, batch: readonly HistoryEntry[], log: Logger): Promise<number> {
  try {
    await history.append(batch)
    return 0
  } catch (error) {
    if (isAway(error)) throw error
    if (batch.length === 1) {
      log.error({ err: error }, 'a history entry was refused')
      return 1
    }
  }
  let refused = 0
  for (const entry of batch) refused += await append(history, [entry], log)
  return refused
}

function isAway(error: unknown): boolean {
  return error instanceof DomainError && error.kind === 'unavailable'
}

function sizeOf({ subject, detail }: HistoryEntry): number {
  return subject.length + detail.length
}
