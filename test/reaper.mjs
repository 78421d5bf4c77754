import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/**
 * Ends the programs that a killed test run leaves behind. The run holds the other end of standard input open, which
 * ends with it, however it ends. Its programs have its folder in TEST_RUN_DIR: `node test/reaper.mjs <folder>`.
 */
const [, , folder = ''] = process.argv
const MARK = `TEST_RUN_DIR=${folder}`
/** A worker that still lives may start another program meanwhile. */
const ROUNDS = 20

process.stdin.resume().once('end', () => void reap())
// Ctrl-C in a terminal reaches every process; this one must stay.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})

async function reap() {
  for (let round = 0; round < ROUNDS && left().filter(end).length > 0; round++) await pause(100)
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
  process.exit()
}

function end(pid) {
  try {
    return process.kill(pid, 'SIGKILL')
  } catch {
    return false // It has ended by itself.
  }
}

/** The database of the run, and, where the system shows them, all processes with its folder in their environment. */
function left() {
  const all = pidsOf(() => readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
  const marked = all.filter((pid) => pid !== process.pid && environmentOf(pid).includes(MARK))
  return [
    ...pidsOf(() => readFileSync(join(folder, 'postgres/postmaster.pid'), 'utf8').split('\n', 1)),
    ...marked,
  ]
}

function pidsOf(read) {
  try {
    // A file that is just being written may lack the number: 0 would be our own process group.
    return read()
      .map(Number)
      .filter((pid) => pid > 1)
  } catch {
    return []
  }
}

function environmentOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
  } catch {
    return [] // It belongs to another user, or is gone.
  }
}
