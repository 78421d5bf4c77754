import { rmSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import { bornAt } from './born-at'
import { readIfThere, type RunFolder } from './run-folder'

const holderShape = z.object({ pid: z.number(), born: z.string() })

/** Makes this process the only one that runs the folder's system. Throws if another does. Returns the release. */
export function takeLock(run: RunFolder): () => void {
  const mine = JSON.stringify({ pid: process.pid, born: bornAt(process.pid) })
  for (let attempt = 0; attempt < 3; attempt++) {
    if (writeNew(run.lock, mine)) return () => release(run, mine)
    const holder = holderOf(run)
    if (holder !== undefined) {
      throw new Error(`Already running: process ${holder} runs ${run.dir}. Stop it first (kill ${holder}).`)
    }
    rmSync(run.lock, { force: true })
  }
  throw new Error(`Another start took ${run.dir} at the same moment.`)
}

/** Returns the process that runs the folder's system. */
function holderOf(run: RunFolder): number | undefined {
  const holder = holderShape.safeParse(parse(readIfThere(run.lock)))
  if (!holder.success) return undefined
  const { pid, born } = holder.data
  return bornAt(pid) === born ? pid : undefined
}

function parse(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined // A start that was interrupted while writing holds nothing.
  }
}

function writeNew(path: string, text: string): boolean {
  try {
    writeFileSync(path, text, { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

function release(run: RunFolder, mine: string): void {
  if (readIfThere(run.lock) === mine) rmSync(run.lock)
}
