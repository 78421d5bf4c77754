const DIGITS = 6

/** The number of an invoice whose seller gave it none: 000001, and longer once those are used up. */
export function madeNumber(count: number): string {
  return String(count).padStart(DIGITS, '0')
}

/** The same in SQL, for a column. */
export function madeNumberSql(count: string): string {
  return `lpad(${count}::text, greatest(${DIGITS}, length(${count}::text)), '0')`
}
