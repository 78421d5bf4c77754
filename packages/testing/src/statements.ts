import { Client, type QueryConfig } from 'pg'

/**
 * Returns the statements that ran during some work, on all connections of this process. What runs beside the work, such
 * as a look by the clock, is left out when `about` names a text of the statements that count.
 */
export async function statementsIn(work: () => Promise<unknown>, about = ''): Promise<QueryConfig[]> {
  const { query } = Client.prototype
  const seen: QueryConfig[] = []
  Client.prototype.query = function (this: Client, first: QueryConfig | string, ...rest: unknown[]) {
    const statement = typeof first === 'string' ? { text: first, values: rest[0] as unknown[] } : first
    if (statement.text.includes(about)) seen.push(statement)
    return Reflect.apply(query, this, [first, ...rest])
  } as typeof query
  try {
    await work()
  } finally {
    Client.prototype.query = query
  }
  return seen
}
