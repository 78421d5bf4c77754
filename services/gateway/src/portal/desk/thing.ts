import type { Right } from '../../sellers/roles'
import type { Portal } from '../portal-context'
import type { Badge, Value } from '../words/value'
import type { Word } from '../words/portuguese'
import type { Fault, Field } from './fields'

/** A column of a list or a table. */
export type Column<Row> = {
  name: Word
  of: (row: Row) => Value
  /** Aligned to the right. */
  number?: true
  /** Leads to the page of the entry. */
  leads?: true
}

/** A filter of a list, by the name of the API's query parameter. `money`: reais. */
export type Filter = {
  name: string
  label: Word
  kind: 'text' | 'day' | 'choice' | 'money'
  /** A choice that offers no way to leave it out. */
  isAlwaysOne?: true
  options?: readonly (readonly [value: string, text: Word | { own: string }])[]
}

export type Facts = readonly (readonly [name: Word | { text: string }, value: Value])[]

export type TimelineEntry = { what: Value; amount?: Value; badge: Badge; at: Value; note?: Value }

/** A part of a page. */
export type Block = {
  title?: Value
  badge?: Badge
  /** Two values at the ends of one line. */
  line?: readonly [Value, Value]
  /** Something that went wrong, what to do, and what not to do. `isCalm`: nothing is to be done. */
  alert?: { title: Value; code?: string; text: Value; warning?: Value; link?: Value; isCalm?: true }
  facts?: Facts
  table?: { columns: readonly { name: Word; number?: true }[]; rows: readonly (readonly Value[])[] }
  timeline?: readonly TimelineEntry[]
  /** A text to read as it is, and to copy. */
  code?: { label: Word; text: string }
  /** An address for others, to copy, and a picture that leads there. */
  shared?: { label: Word; url: string; picture?: string }
  /** Shown where the block has nothing else. */
  none?: Word
}

export type ThingPage = { badge?: Badge; total?: Value; blocks: readonly Block[] }

/** What a person may do with a thing: a form of its own, which sends one request of the API. */
export type Action<Full> = {
  /** The operation of the API. Its scope says who may. */
  operation: string
  /** In the path of its page. */
  name: string
  label: Word
  /** It can't be undone. */
  danger?: true
  /** What most people are to do: its button stands out on the page, and no other does. */
  leads?: true
  /** Afterwards the thing has no page. */
  removes?: true
  /** Harmless and without fields: its button on the page of the thing does it. */
  immediate?: true
  /** Asks for the password of the signed-in person again. */
  confirms?: true
  applies: (full: Full) => boolean
  /** What will happen, with the sums that are left. */
  says: (full: Full, ask: Ask) => Value | Promise<Value>
  /** What to think of first, such as that it was done already. */
  warns?: (full: Full) => Value
  fields?: (full: Full, ask: Ask, given: Given) => readonly Field[] | Promise<readonly Field[]>
  /** The body for the API from what was typed, or what is wrong with it. Without it: as typed. */
  body?: (typed: Record<string, unknown>, full: Full, ask: Ask) => Composed | Promise<Composed>
  sums?: Sums<Full>
  done: Done
}

/** A form of another thing, which this one leads to. `to`: its path within the portal. */
export type Way = { operation: string; label: Word; to: string }

/** Said once on the page after a form, from what the API answered. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Done = Word | ((answer: any) => Value)

/** Asks the API for what a form offers or looks up. */
export type Ask = (
  operation: string,
  query: Record<string, string>,
  params?: Record<string, string>,
) => Promise<unknown>

/** What the address, or the form that was sent, says of a field; empty: nothing. */
export type Given = (name: string) => string

export type Composed = { body: Record<string, unknown> } | { faults: Record<string, Fault> }

/**
 * Sums of what is typed, computed by the service that will compute them again when it is sent. `full`: what is changed.
 * Empty: there is nothing to sum up yet.
 */
export type Sums<Full> = (
  typed: Record<string, unknown>,
  desk: { ask: Ask; sellerId: number } & Pick<Portal, 'services'>,
  full?: Full,
) => Promise<Facts>

/** How a new thing is made: a form, which sends one request of the API. */
export type Creation = {
  operation: string
  /** In the path of its form. */
  name: string
  label: Word
  fields: (ask: Ask, given: Given) => Promise<readonly Field[]>
  /** The body for the API from what was typed, or what is wrong with it. Without it: as typed. */
  body?: (typed: Record<string, unknown>, ask: Ask) => Promise<Composed>
  sums?: Sums<never>
  /** Asks for the password of the signed-in person again. */
  confirms?: true
  done: Done
}

/** Something to print or to keep, as the API answers it. */
export type PaperOf<Full> = {
  operation: string
  /** In its path. */
  name: string
  label: Word
  /** It has a page of its own. */
  isPage?: true
  applies: (full: Full) => boolean
}

/**
 * What the API has beside a thing: a list with filters for it (`query`), or what is read by another id (`of`) than the
 * thing's own. What is not found is empty.
 */
export type Listing<Full> = {
  operation: string
  query?: (full: Full) => Record<string, string>
  of?: (full: Full) => number
}

type Definition<Entry, Full, Beside extends object> = {
  /** In the paths of its pages, and of the navigation. */
  name: string
  many: Word
  none: Word
  /** Its place in the navigation. Without it: the main one. */
  under?: 'integrations'
  /** Who may see it, beyond who may ask the API for it. */
  right?: Right
  /** What its ids look like. Without it: numbers. */
  ids?: RegExp
  /** The member of an entry, and the parameter of a path, that names it. Without it: `id`. */
  key?: string
  /** The operations of the API that list and read it. Without `read`, it has no page of its own. */
  list: string
  read?: string
  /** The operation that exports the list as CSV, with the same filters. */
  csv?: string
  filters: readonly Filter[]
  /** The filters that the search box tries. */
  searched?: readonly string[]
  columns: readonly Column<Entry>[]
  /** Operations whose answers the page shows too: of the same `id`, or lists with a query. */
  beside?: Readonly<Partial<Record<keyof Beside, string | Listing<Full>>>>
  /** Asks for what the page shows of other things, by what this one names. A few operations at most. */
  around?: (full: Full, ask: Ask) => Promise<Partial<Beside>>
  heading: (full: Full) => Value
  page: (full: Full, beside: Beside) => ThingPage
  actions: readonly Action<Full>[]
  /** Forms of other things, among its actions. */
  ways?: (full: Full) => readonly Way[]
  creations?: readonly Creation[]
  documents?: readonly PaperOf<Full>[]
}

/** A kind of things that the portal lists, shows and changes, as data: pages and forms are made from it. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Thing = Definition<any, any, any>

/** The parameters of the path of one of these things. */
export function paramsOf({ key = 'id' }: Pick<Thing, 'key'>, id: string): Record<string, string> {
  return { [key]: id }
}

export function thing<Entry, Full, Beside extends object = object>(
  definition: Definition<Entry, Full, Beside>,
): Thing {
  return definition
}
