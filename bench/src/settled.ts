import { Client } from 'pg'
import { rest } from './rest'

const SECONDS_MAX = 60

/** Resolves when every event of orders, vouchers and invoices is published, and every event of the log is handled. */
export async function settled(adminUrl: URL): Promise<void> {
  const names = ['orders', 'vouchers', 'invoices', 'event_log']
  const [orders, vouchers, invoices, eventLog] = await Promise.all(names.map((name) => open(adminUrl, name)))
  if (!orders || !vouchers || !invoices || !eventLog) return
  const until = performance.now() + SECONDS_MAX * 1_000
  try {
    const waits = async () =>
      (await finds(orders, UNPUBLISHED)) ||
      (await finds(vouchers, UNPUBLISHED)) ||
      (await finds(invoices, UNPUBLISHED)) ||
      (await finds(eventLog, UNHANDLED))
    while (await waits()) {
      if (performance.now() > until) throw new Error(`events still wait after ${SECONDS_MAX} s`)
      await rest(0.05)
    }
  } finally {
    await Promise.all([orders.end(), vouchers.end(), invoices.end(), eventLog.end()])
  }
}

const UNPUBLISHED = 'SELECT 1 FROM outbox LIMIT 1'
const UNHANDLED = `
  SELECT 1 FROM event_log AS e JOIN event_log_groups AS g USING (topic) WHERE e.position > g.position LIMIT 1`

async function open(adminUrl: URL, database: string): Promise<Client> {
  const url = new URL(adminUrl)
  url.pathname = database
  const client = new Client({ connectionString: url.href })
  await client.connect()
  return client
}

async function finds(client: Client, query: string): Promise<boolean> {
  const { rowCount } = await client.query(query)
  return rowCount !== 0
}
