import { request } from 'undici'
import type { MeasuredSystem } from '../measured-system'
import { residentMib } from '../processes'
import { exportAsk } from './invoice-asks'

const WATCHED = ['gateway', 'invoices'] as const
const EVERY_MS = 100

export type Export = {
  rows: number
  seconds: number
  /** MiB of each process before the export, and its peak in each quarter of the export. */
  memory: { name: string; before: number; quarters: number[] }[]
}

/** Exports all invoices of the seller as CSV. Each line feed ends a row: the stored values contain none. */
export async function measureExport({ target, local }: MeasuredSystem): Promise<Export> {
  const pids = local.ready.pids
  const resident = () => WATCHED.map((name) => residentMib(pids[name] ?? 0))
  const before = resident()
  const seen = [before]
  const timer = setInterval(() => seen.push(resident()), EVERY_MS)
  const startedAt = performance.now()
  try {
    const { method, path, headers = {} } = exportAsk(target)
    const { statusCode, body } = await request(`${target.url}${path}`, { method, headers })
    let lines = 0
    for await (const chunk of body) lines += linesOf(chunk as Buffer)
    if (statusCode !== 200) throw new Error(`the export was answered ${statusCode}`)
    seen.push(resident())
    const memory = WATCHED.map((name, place) => {
      const ofOne = seen.map((each) => each[place] ?? 0)
      return { name, before: ofOne[0] ?? 0, quarters: quartersOf(ofOne).map((part) => Math.max(...part)) }
    })
    return { rows: lines - 1, seconds: (performance.now() - startedAt) / 1_000, memory }
  } finally {
    clearInterval(timer)
  }
}

function quartersOf(seen: readonly number[]): number[][] {
  const ends = [0, 1, 2, 3, 4].map((quarter) => Math.floor((seen.length * quarter) / 4))
  return ends.slice(1).map((end, place) => seen.slice(Math.min(ends[place] ?? 0, end - 1), end))
}

function linesOf(chunk: Buffer): number {
  let lines = 0
  for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) lines++
  return lines
}
