import { readdirSync, readFileSync } from 'node:fs'

// Linux counts CPU time in hundredths of a second, whatever the kernel's own tick (man 5 proc).
const MS_PER_TICK = 10

/** Returns CPU time used so far, in ms, by name. A process includes its children, such as those of PostgreSQL. */
export function cpuTimes(pids: Record<string, number>): Record<string, number> {
  const families = childrenOf(Object.values(pids))
  return Object.fromEntries(
    Object.entries(pids).map(([name, pid]) => {
      const ticks = [pid, ...(families.get(pid) ?? [])].reduce((sum, each) => sum + ticksOf(each), 0)
      return [name, ticks * MS_PER_TICK]
    }),
  )
}

/** Returns the CPU time that the whole machine has used so far, in milliseconds. */
export function machineBusyMs(): number {
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] =
    /^cpu +(.*)$/m.exec(read('/proc/stat'))?.[1]?.split(' ').map(Number) ?? []
  return (user + nice + system + irq + softirq + steal) * MS_PER_TICK
}

/** Returns memory in MiB, by name; memory that processes share is counted once (proportional set size). */
export function memory(pids: Record<string, number>): Record<string, number> {
  const families = childrenOf(Object.values(pids))
  return Object.fromEntries(
    Object.entries(pids).map(([name, pid]) => {
      const kib = [pid, ...(families.get(pid) ?? [])].reduce((sum, each) => sum + proportionalKib(each), 0)
      return [name, kib / 1024]
    }),
  )
}

/** Returns the resident memory of one process in MiB, including shared memory. */
export function residentMib(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(read(`/proc/${pid}/status`))?.[1] ?? 0) / 1024
}

function childrenOf(parents: readonly number[]): Map<number, number[]> {
  const families = new Map(parents.map((pid) => [pid, [] as number[]]))
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue
    families.get(Number(statOf(Number(entry))[PARENT]))?.push(Number(entry))
  }
  return families
}

// Positions after the program's name, which is in parentheses and may contain spaces.
const PARENT = 1
const USER_TICKS = 11
const SYSTEM_TICKS = 12
const REAPED_USER_TICKS = 13
const REAPED_SYSTEM_TICKS = 14

function ticksOf(pid: number): number {
  const stat = statOf(pid)
  return [USER_TICKS, SYSTEM_TICKS, REAPED_USER_TICKS, REAPED_SYSTEM_TICKS].reduce(
    (sum, place) => sum + Number(stat[place] ?? 0),
    0,
  )
}

function statOf(pid: number): string[] {
  const text = read(`/proc/${pid}/stat`)
  return text.slice(text.lastIndexOf(')') + 2).split(' ')
}

function proportionalKib(pid: number): number {
  return Number(/^Pss:\s+(\d+) kB/m.exec(read(`/proc/${pid}/smaps_rollup`))?.[1] ?? 0)
}

/** Returns a file's text; empty when the process has ended. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}
