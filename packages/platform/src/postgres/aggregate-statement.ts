import { appendOneToOutbox, appendToOutbox, outboxRowsOf } from '../events/outbox'
import { answerMarksSql, freeMarksSql, type Marks } from '../idempotency/mark'
import type { Kind } from './aggregate-store'
import { valueIn, type Row } from './columns'
import { parameters } from './parameters'

const IF_SAVED = 'EXISTS (SELECT FROM saved)'

/** What a decision saves, as rows. */
type Changed = {
  id: unknown
  row: Row
  events: readonly Row[]
  parts: readonly Row[][]
  answered: readonly string[]
  answer: Uint8Array | null
  freed: readonly string[]
}

/** How the rows of a part are saved: `one` has a parameter for each of its values, `some` are JSON. */
type Form = 'none' | 'one' | 'some'

/**
 * Returns the function that makes the one statement of a decision. The values of a row that stands alone are parameters:
 * to read a row from JSON, PostgreSQL copies the type of the row with every CHECK of its table, at each statement.
 */
export function savingOf<Key, Value extends Key, Entity, Stored, Decision extends Entity, Message>(
  kind: Kind<Key, Value, Entity, Stored, Decision, Message>,
) {
  const { id, columns, parts = [] } = kind
  const statements = new Map<string, ReturnType<typeof statementOf>>()
  return (decision: Decision, message: Message, { answered, freed }: Marks) => {
    const value = kind.valueOf(decision)
    const changed: Changed = {
      id: value[id],
      row: columns.toRow(value),
      events: outboxRowsOf(kind.eventsOf(decision, message)),
      parts: parts.map((part) => part.changedBy(decision)),
      answered,
      answer: answered.length > 0 ? kind.message.encode(message).finish() : null,
      freed,
    }
    const forms = [
      ...parts.map(({ saveOne }, at) => formOf(changed.parts[at] ?? [], saveOne !== undefined)),
      formOf(changed.events),
    ]
    const marks = [...(answered.length > 0 ? ['answered'] : []), ...(freed.length > 0 ? ['freed'] : [])]
    const name = ['save', kind.name, ...forms, ...marks].join('-')
    const statement = statements.get(name) ?? statementOf(kind, forms, changed)
    statements.set(name, statement)
    return { name, text: statement.text, values: statement.valuesOf(changed) }
  }
}

function formOf({ length }: readonly Row[], mayBeOne = true): Form {
  if (length === 0) return 'none'
  return length === 1 && mayBeOne ? 'one' : 'some'
}

/** The statement that saves changes, each part and then the events in its form, and of marks as these. */
function statementOf<Key, Value extends Key, Entity, Stored, Decision extends Entity, Message>(
  { table, id, columns, alsoSet, parts = [] }: Kind<Key, Value, Entity, Stored, Decision, Message>,
  forms: readonly Form[],
  { answered, freed }: Pick<Changed, 'answered' | 'freed'>,
) {
  const given = parameters<Changed>()
  // The id is a parameter of its own. When PostgreSQL guesses how many rows a list has, it may read a whole table.
  const own = given.add((changed) => changed.id)
  const row = given.row((changed) => changed.row)
  const saves = [
    `WITH saved AS (
      UPDATE ${table} t SET ${columns.updated(row)}, ${alsoSet((column) => valueIn(row, column))}
      WHERE t.${id} = ${own} AND t.version = ${valueIn(row, 'version')}::int - 1
      RETURNING t.${id})`,
  ]
  for (const [at, { save, saveOne }] of parts.entries()) {
    if (forms[at] === 'none') continue
    const sql =
      forms[at] === 'one' && saveOne
        ? saveOne(given.row((changed) => changed.parts[at]?.[0] ?? {}))
        : save(given.add((changed) => JSON.stringify(changed.parts[at])))
    saves.push(`part_${at} AS (${sql})`)
  }
  const told = forms.at(-1)
  if (told === 'one') {
    const event = given.row((changed) => changed.events[0] ?? {})
    saves.push(`appended AS (${appendOneToOutbox(event, IF_SAVED)})`)
  } else if (told === 'some') {
    const events = given.add((changed) => JSON.stringify(changed.events))
    saves.push(`appended AS (${appendToOutbox(events, IF_SAVED)})`)
  }
  if (answered.length > 0) {
    const [ids, answer] = [given.add((changed) => changed.answered), given.add((changed) => changed.answer)]
    saves.push(`answered AS (${answerMarksSql(ids, answer, IF_SAVED)})`)
  }
  if (freed.length > 0) {
    const ids = given.add((changed) => changed.freed)
    saves.push(`freed AS (${freeMarksSql(ids, IF_SAVED)})`)
  }
  return { text: `${saves.join(', ')} SELECT FROM saved`, valuesOf: given.valuesOf }
}
