import { Client, type QueryConfig } from 'pg'

/** The pool on which the statements run. */
type Database = { url: string }

/**
 * Runs a statement as the service does: planned once, for any values. Returns the plan, and the most rows that any part
 * of it read.
 */
export async function ranAs(
  { url }: Database,
  { text, values = [] }: QueryConfig,
): Promise<{ plan: string; rows: number }> {
  const explained = await explain(url, text, values)
  const plan = explained.map((row) => row['QUERY PLAN']).join('\n')
  const read = [...plan.matchAll(/rows=([\d.]+) loops=(\d+)/g)].map(
    ([, each, loops]) => Number(each) * Number(loops),
  )
  const removed = [...plan.matchAll(/Rows Removed by [\w ]+: (\d+)/g)].map(([, each]) => Number(each))
  return { plan, rows: Math.max(...read, ...removed) }
}

function textOf(value: unknown): string {
  if (value instanceof Date) return value.toISOString()
  return Array.isArray(value) ? `{${value.join()}}` : String(value)
}

async function explain(
  url: string,
  text: string,
  values: readonly unknown[],
): Promise<{ 'QUERY PLAN': string }[]> {
  const client = new Client({
    connectionString: url,
    options: '-c plan_cache_mode=force_generic_plan',
  })
  await client.connect()
  try {
    await client.query(`PREPARE asked AS ${text}`)
    const given = values.map((value) => client.escapeLiteral(textOf(value)))
    const executed = `EXECUTE asked${given.length > 0 ? `(${given.join(', ')})` : ''}`
    return (await client.query(`EXPLAIN (ANALYZE, COSTS OFF, TIMING OFF) ${executed}`)).rows
  } finally {
    await client.end()
  }
}
