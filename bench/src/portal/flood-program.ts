import { drive, type Ask } from '../load'

export type FloodAsk = { url: string; cookie: string; root: string; sockets: number; seconds: number }
/** How many pages were shown, and how many requests were refused. */
export type Flooded = { pages: number; refused: number }

/** Pages that ask much: several services each. */
const COSTLY = [
  '',
  '/reports?by=month',
  '/charges',
  '/invoices?pastDue=true',
  '/search?q=stored',
  '/search?q=1111',
]

process.once('message', (ask: FloodAsk) => void flood(ask))

async function flood({ url, cookie, root, sockets, seconds }: FloodAsk): Promise<void> {
  let asked = 0
  const next = (): Ask => {
    return { method: 'GET', path: `${root}${COSTLY[asked++ % COSTLY.length]}`, headers: { cookie } }
  }
  const { latenciesMs, failures } = await drive({ url, clients: sockets, seconds, expect: 200, next })
  process.send?.({ pages: latenciesMs.length - failures, refused: failures } satisfies Flooded)
  process.disconnect()
}
