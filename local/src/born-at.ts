import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'

/**
 * Returns when a process began, in the system's format; undefined when it is gone, or only its entry remains.
 * Ids are reused: a process that began at another moment is another process.
 */
export function bornAt(pid: number): string | undefined {
  if (existsSync('/proc/self/stat')) return bornInProc(pid)
  const { stdout } = spawnSync('ps', ['-o', 'state=,lstart=', '-p', String(pid)], { encoding: 'utf8' })
  const [state = 'Z', ...born] = stdout.trim().split(/\s+/)
  return state.startsWith('Z') ? undefined : born.join(' ')
}

function bornInProc(pid: number): string | undefined {
  let stat: string
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return undefined
  }
  // The program's name, in brackets, may contain spaces; the state comes after it, the start time 19 fields later.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19]
}
