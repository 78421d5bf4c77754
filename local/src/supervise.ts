import { spawn, type ChildProcess } from 'node:child_process'
import { closeSync, openSync, renameSync, statSync } from 'node:fs'

/** A program to keep running. */
export type Program = {
  name: string
  command: string
  args: string[]
  cwd: string
  env: NodeJS.ProcessEnv
  logFile: string
  uid?: number
  gid?: number
  /** The signal that asks it to stop, and the one that follows when it did not. */
  stopSignals: readonly [NodeJS.Signals, NodeJS.Signals]
  /** The time that it has to stop after the first signal. */
  graceMs?: number | undefined
}

export type Listener = { started(pid: number): void; died(message: string): void }

export type Supervised = {
  name: string
  logFile: string
  /** Resolves when the program failed too often in a row and is not started again. */
  lost: Promise<string>
  /** Asks it to stop and resolves when it is gone; it is not started again. */
  stop(): Promise<void>
  /** The same, without the gentle signal. */
  kill(): Promise<void>
}

const GRACE_MS = 10_000
const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 1_000
/** A program that ran this long is well; its failures are counted from zero again. */
const WELL_AFTER_MS = 5_000
const FAILURES_MAX = 10
const FROM_OUTSIDE: readonly unknown[] = ['SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT']
const LOG_BYTES_MAX = 10 * 1024 * 1024

/**
 * Starts a program, and starts it again whenever it ends. Being killed from outside is not its failure and may happen
 * any number of times. It is given up after ending by itself 10 times in a row, within 5 s each.
 */
export function supervise(program: Program, listener: Listener): Supervised {
  let child: ChildProcess | undefined
  let gone: Promise<void> = Promise.resolve()
  let pause: NodeJS.Timeout | undefined
  let stopping = false
  let failures = 0
  let lose = (_reason: string) => {}
  const lost = new Promise<string>((resolve) => (lose = resolve))

  const start = () => {
    const since = Date.now()
    const running = launch(program)
    child = running
    if (running.pid !== undefined) listener.started(running.pid)
    gone = new Promise((resolve) => {
      const ended = (how: string, killed: boolean) => {
        child = undefined
        resolve()
        if (!stopping) again(how, killed, Date.now() - since)
      }
      running.once('error', (error) => running.pid === undefined && ended(error.message, false))
      running.once('exit', (code, signal) =>
        ended(signal ?? `exit code ${code}`, FROM_OUTSIDE.includes(signal)),
      )
    })
  }
  const again = (how: string, killed: boolean, livedMs: number) => {
    if (livedMs > WELL_AFTER_MS || killed) failures = 0
    if (!killed) failures++
    if (failures >= FAILURES_MAX) return lose(`${program.name} does not stay up (${how})`)
    listener.died(`${program.name} ended (${how}); starting it again`)
    pause = setTimeout(start, Math.min(FIRST_PAUSE_MS * 2 ** Math.max(failures - 1, 0), LONGEST_PAUSE_MS))
  }
  const end = async (signals: readonly NodeJS.Signals[]) => {
    stopping = true
    clearTimeout(pause)
    for (const signal of signals) {
      if (!child?.kill(signal)) break
      if (await endsWithin(gone, program.graceMs ?? GRACE_MS)) break
    }
    await gone
  }
  start()
  const [gentle, hard] = program.stopSignals
  return {
    name: program.name,
    logFile: program.logFile,
    lost,
    stop: () => end([gentle, hard, 'SIGKILL']),
    kill: () => end([hard, 'SIGKILL']),
  }
}

/** Starts the program in its own session: Ctrl-C reaches only us, who stop the programs in the right order. */
function launch({ command, args, cwd, env, logFile, uid, gid }: Program): ChildProcess {
  const log = openLog(logFile)
  try {
    return spawn(command, args, { cwd, env, uid, gid, detached: true, stdio: ['ignore', log, log] })
  } finally {
    closeSync(log)
  }
}

function openLog(path: string): number {
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0
  if (size > LOG_BYTES_MAX) renameSync(path, `${path}.1`)
  return openSync(path, 'a', 0o600)
}

async function endsWithin(gone: Promise<void>, timeoutMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => (timer = setTimeout(() => resolve(false), timeoutMs)))
  const inTime = await Promise.race([gone.then(() => true), late])
  clearTimeout(timer)
  return inTime
}
