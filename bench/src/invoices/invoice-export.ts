import { request } from 'undici'
import type { MeasuredSystem } from '../measured-system'
import { residentMib } from '../processes'
import { exportAsk } from './invoice-asks'

const WATCHED = ['gateway', 'invoices'] as const
const EVERY_MS = 100

export type Export = {
  rows: number
  seconds: number
  /** MiB of each process before the export, and the most while it ran. */
  memory: { name: string; before: number; greatest: number }[]
}

/** All invoices of the seller as CSV. A row ends with a line feed, and the values that the bench stores have none. */
export async function measureExport({ target, local }: MeasuredSystem): Promise<Export> {
  const pids = local.ready.pids
  const resident = () => WATCHED.map((name) => residentMib(pids[name] ?? 0))
  const before = resident()
  const greatest = [...before]
  const watch = () =>
    resident().forEach((mib, place) => (greatest[place] = Math.max(greatest[place] ?? 0, mib)))
  const timer = setInterval(watch, EVERY_MS)
  const startedAt = performance.now()
  try {
    const { method, path, headers = {} } = exportAsk(target)
    const { statusCode, body } = await request(`${target.url}${path}`, { method, headers })
    let lines = 0
    for await (const chunk of body) lines += linesOf(chunk as Buffer)
    if (statusCode !== 200) throw new Error(`the export was answered ${statusCode}`)
    watch()
    const memory = WATCHED.map((name, place) => ({
      name,
      before: before[place] ?? 0,
      greatest: greatest[place] ?? 0,
    }))
    return { rows: lines - 1, seconds: (performance.now() - startedAt) / 1_000, memory }
  } finally {
    clearInterval(timer)
  }
}

function linesOf(chunk: Buffer): number {
  let lines = 0
  for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines++
  return lines
}
