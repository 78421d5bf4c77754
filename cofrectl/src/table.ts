type Cell = string | number | boolean | undefined

/** Returns rows under the names of their columns, aligned for a person. */
export function table(rows: readonly Record<string, Cell>[]): string {
  const [first] = rows
  if (!first) return 'none\n'
  const columns = Object.keys(first)
  const lines = [
    columns.map((name) => name.toUpperCase()),
    ...rows.map((row) => columns.map((name) => shown(row[name]))),
  ]
  const widths = columns.map((_name, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)))
  return (
    lines
      .map((line) =>
        line
          .map((cell, at) => cell.padEnd(widths[at] ?? 0))
          .join('  ')
          .trimEnd(),
      )
      .join('\n') + '\n'
  )
}

/** Returns one object with a line for each of its members. */
export function card(row: Record<string, Cell>): string {
  const width = Math.max(...Object.keys(row).map((name) => name.length))
  return Object.entries(row)
    .map(([name, cell]) => `${name.padEnd(width)}  ${shown(cell)}\n`)
    .join('')
}

/** Formats epoch milliseconds for a person. */
export function moment(epochMs: number | undefined): string | undefined {
  return epochMs === undefined ? undefined : new Date(epochMs).toISOString()
}

function shown(cell: Cell): string {
  return cell === undefined || cell === '' ? '-' : String(cell)
}
