import { createConnection, mongo, Schema, type Connection, type Model, type QueryFilter } from 'mongoose'
import { DomainError, unavailable } from '../errors'
import { COUNTED_MAX, listPage, rowsToRead, unknownAfter } from '../list-page'
import { timeAt } from '../list-place'
import {
  HISTORY_KEPT_MS,
  type History,
  type HistoryEntry,
  type HistoryPage,
  type HistoryQuery,
} from './history'
import type { Logger } from '../telemetry/log'
import { within } from '../within'

const ANSWER_MS = 5_000
const REACH_MS = 2_000
/** The server ends a search after this time: it must not go on when nobody waits. */
const SEARCH_MS = 2_000
const DUPLICATE_KEY = 11_000
// A URL may list several hosts, which `URL` can't read.
const NAMES_A_DATABASE = /^mongodb(\+srv)?:\/\/[^/?]+\/[^?]/

type Document = Omit<HistoryEntry, 'id' | 'at'> & { _id: string; at: Date }

const schema = new Schema<Document>(
  {
    _id: { type: String, required: true },
    at: { type: Date, required: true },
    sellerId: { type: Number, required: true },
    subject: { type: String, required: true },
    facts: { type: Schema.Types.Mixed, required: true },
    detail: { type: String, required: true },
  },
  { autoIndex: false, autoCreate: false, versionKey: false, minimize: false },
)
  .index({ at: 1 }, { expireAfterSeconds: HISTORY_KEPT_MS / 1_000 })
  .index({ sellerId: 1, at: -1, _id: -1 })
  .index({ subject: 1 })

export type MongoOptions = {
  url: string
  /** Names the connection, and the database when the URL names none. */
  name: string
  /** An authority to trust in place of the system's, PEM. */
  ca?: string | undefined
}

/**
 * History in MongoDB, which deletes old entries by itself. Opens even while the store is away: each use tries to reach
 * it. An entry counts as written once a majority of the members has written it.
 */
export function openMongoHistory(options: MongoOptions, log: Logger): History {
  const connection = createConnection()
  // Each use reports the error. Without a listener it would end the process.
  connection.on('error', () => {})
  // Services may share a database, so the collection has the service's name.
  const documents = connection.model<Document>('History', schema, `${options.name}_history`)
  let ready: Promise<void> | undefined
  let fault: string | undefined
  const ask = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      ready ??= prepare(connection, documents, options)
      await within(ANSWER_MS, ready.catch(forgetAttempt), 'the history was not reached in time')
      const answer = await within(ANSWER_MS, work(), 'the history did not answer in time')
      fault = undefined
      return answer
    } catch (error) {
      // We refused the request ourselves: the store did answer.
      if (error instanceof DomainError) throw error
      if (faultsOf(error).some(({ code }) => code !== DUPLICATE_KEY)) throw error
      // Logged once for each kind of error, not at each use.
      const name = error instanceof Error ? error.name : 'unknown'
      if (name !== fault) log.warn({ err: error }, 'the history does not answer')
      fault = name
      throw unavailable('The history does not answer.')
    }
  }
  const forgetAttempt = (error: unknown) => {
    ready = undefined
    throw error
  }
  return {
    append: (entries) => ask(() => append(documents, entries)),
    find: (query) => ask(() => find(documents, query)),
    get: (sellerId, id) => ask(() => get(documents, sellerId, id)),
    close: () => connection.close(true),
  }
}

async function prepare(connection: Connection, documents: Model<Document>, options: MongoOptions) {
  const { url, name, ca } = options
  await connection.openUri(url, {
    ...(NAMES_A_DATABASE.test(url) ? {} : { dbName: name }),
    ...(ca === undefined ? {} : { tls: true, ca }),
    appName: name,
    bufferCommands: false,
    autoIndex: false,
    autoCreate: false,
    maxPoolSize: 4,
    serverSelectionTimeoutMS: REACH_MS,
    connectTimeoutMS: REACH_MS,
    socketTimeoutMS: 2 * ANSWER_MS,
    writeConcern: { w: 'majority' },
  })
  await documents.createIndexes()
}

async function append(documents: Model<Document>, entries: readonly HistoryEntry[]): Promise<void> {
  if (entries.length === 0) return
  const made = entries.map(({ id, at, ...rest }) => ({ _id: id, at: new Date(at), ...rest }))
  try {
    await documents.insertMany(made, { ordered: false, lean: true })
  } catch (error) {
    if (!onlyWrittenBefore(error)) throw error
  }
}

/** True when the store refused entries only because an earlier try had written them. */
function onlyWrittenBefore(error: unknown): boolean {
  const faults = faultsOf(error)
  return faults.length > 0 && faults.every(({ code }) => code === DUPLICATE_KEY) && isMajority(error)
}

/** The faults of entries that the server refused. None when it was not reached, which gives the same kind of error. */
function faultsOf(error: unknown): mongo.WriteError[] {
  return error instanceof mongo.MongoBulkWriteError ? [error.writeErrors].flat() : []
}

function isMajority(error: unknown): boolean {
  return error instanceof mongo.MongoBulkWriteError && !error.result.getWriteConcernError()
}

async function find(documents: Model<Document>, query: HistoryQuery): Promise<HistoryPage> {
  const { limit, offset } = rowsToRead(query)
  const filter = filterOf(query)
  const follows = await following(documents, query)
  const page = documents
    .find({ ...filter, ...follows })
    .sort({ at: -1, _id: -1 })
    .skip(offset)
    .limit(limit)
  const [found, counted] = await Promise.all([
    // MongoDB takes a limit of 0 for no limit.
    limit === 0 ? [] : page.maxTimeMS(SEARCH_MS).lean(),
    documents.countDocuments(filter, { limit: COUNTED_MAX + 1, maxTimeMS: SEARCH_MS }),
  ])
  const { entries, ...end } = listPage(found.map(entryOf), counted, query)
  const last = entries.at(-1)
  return { ...end, entries, place: last && `${last.at}000` }
}

async function following(documents: Model<Document>, { sellerId, after: id, place }: HistoryQuery) {
  if (id === undefined) return {}
  if (place !== undefined) return behind(new Date(timeAt(place)), id)
  const last = await documents.findOne({ _id: id, sellerId }, { at: 1 }).maxTimeMS(SEARCH_MS).lean()
  if (!last) throw unknownAfter()
  return behind(last.at, id)
}

function behind(at: Date, id: string) {
  return { $or: [{ at: { $lt: at } }, { at, _id: { $lt: id } }] }
}

function filterOf({ sellerId, subject, facts = {}, from, to }: HistoryQuery): QueryFilter<Document> {
  const oldest = Math.max(from ?? 0, Date.now() - HISTORY_KEPT_MS)
  return {
    sellerId,
    at: { $gte: new Date(oldest), ...(to === undefined ? {} : { $lte: new Date(to) }) },
    ...(subject === undefined ? {} : { subject }),
    ...Object.fromEntries(Object.entries(facts).map(([name, among]) => [`facts.${name}`, { $in: among }])),
  }
}

async function get(documents: Model<Document>, sellerId: number, id: string) {
  const oldest = new Date(Date.now() - HISTORY_KEPT_MS)
  const found = await documents
    .findOne({ _id: id, sellerId, at: { $gte: oldest } })
    .maxTimeMS(SEARCH_MS)
    .lean()
  return found ? entryOf(found) : undefined
}

function entryOf({ _id, at, sellerId, subject, facts, detail }: Document): HistoryEntry {
  return { id: _id, at: at.getTime(), sellerId, subject, facts, detail }
}
