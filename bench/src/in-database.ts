import { Client } from 'pg'
import type { MeasuredSystem } from './measured-system'

/** Works in a database of the measured system, with a connection of its own. */
export async function inDatabase<T>(
  { adminUrl }: MeasuredSystem,
  name: string,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const url = new URL(adminUrl)
  url.pathname = name
  const client = new Client({ connectionString: url.href })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
