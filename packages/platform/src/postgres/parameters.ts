import type { NewRow, Row } from './columns'

/** The parameters of one statement, numbered as its text is made, and how each reads its value from what is saved. */
export type Parameters<Given> = {
  /** The placeholder of one more parameter. */
  add(valueOf: (given: Given) => unknown): string
  /** A new row whose values are parameters, one for each column that the text names. */
  row(rowOf: (given: Given) => Row): NewRow
  valuesOf(given: Given): unknown[]
}

export function parameters<Given>(): Parameters<Given> {
  const readers: ((given: Given) => unknown)[] = []
  const add: Parameters<Given>['add'] = (valueOf) => `$${readers.push(valueOf)}`
  const row: Parameters<Given>['row'] = (rowOf) => {
    const known = new Map<string, string>()
    return (column) => {
      const placeholder = known.get(column) ?? add((given) => storable(rowOf(given)[column]))
      known.set(column, placeholder)
      return placeholder
    }
  }
  return { add, row, valuesOf: (given) => readers.map((valueOf) => valueOf(given)) }
}

/** The driver would write a list as a PostgreSQL array; the columns of a table hold JSON. */
function storable(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value
}
