/** Returns one value of a query string; its name may have any case. Undefined when it is absent or sent twice. */
export function queryText(query: Record<string, unknown>, wanted: string): string | undefined {
  const name = Object.keys(query).find((key) => key.toLowerCase() === wanted.toLowerCase())
  const value = name === undefined ? undefined : query[name]
  return typeof value === 'string' ? value : undefined
}
