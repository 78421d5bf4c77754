import type { Portal } from '../portal-context'
import type { Words } from '../words/language'
import type { Thing } from './thing'

/** An entry of a list of the API. */
export type Entry = Record<string, unknown>

/** What names an entry. */
export function idOf({ key = 'id' }: Pick<Thing, 'key'>, entry: Entry): string {
  return String(entry[key])
}

/** Entries of a thing as the rows of a table: a cell for each column, and in one of them the way to the entry. */
export function rowsOf({ root }: Portal, { show }: Words, thing: Thing, entries: readonly Entry[]) {
  return entries.map((entry) =>
    thing.columns.map(({ of, leads, number }) => ({
      ...show(of(entry)),
      number,
      leads,
      ...(leads && { href: `${root}/${thing.name}/${idOf(thing, entry)}` }),
    })),
  )
}
