import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** A third-party server on this machine. */
export type Engine = {
  name: string
  version: string
  /** The URL for the settings of the services. */
  url: string
  pid: number
  /** Asks it to end. Resolves when it is gone. */
  stop(): Promise<void>
  /** Ends it as a crash of the machine would: at once. */
  kill(): Promise<void>
}

export type EngineProgram = {
  name: string
  version: string
  url: string
  port: number
  command: string
  args: readonly string[]
  dir: string
  /** Its standard output and standard error. */
  logFile: string
}

// It takes two seconds on a quiet machine. For a JVM beside twenty programs on two slow cores, 60 s were too few.
const READY_MS = 180_000
const STOP_MS = 15_000
const LOOK_AGAIN_MS = 50

/**
 * Starts a server and resolves when it accepts connections. It has its own session: a Ctrl-C in the terminal
 * doesn't reach it, and with `stays` it outlives us.
 */
export async function startEngine(program: EngineProgram, { stays = false } = {}): Promise<Engine> {
  const log = openSync(program.logFile, 'a', 0o600)
  const child = spawn(program.command, program.args, {
    cwd: program.dir,
    detached: true,
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  const gone = once(child, 'exit')
  gone.catch(() => {})
  await untilTaken(program, child)
  if (stays) child.unref()
  const { name, version, url } = program
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill(signal)
    if (await Promise.race([gone, pause(STOP_MS, 'late', { ref: false })]).then((how) => how === 'late')) {
      child.kill('SIGKILL')
    }
    await gone
  }
  return {
    name,
    version,
    url,
    pid: child.pid ?? 0,
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
  }
}

async function untilTaken({ name, port, logFile }: EngineProgram, child: ChildProcess): Promise<void> {
  let failed: Error | undefined
  child.once('error', (error) => (failed = error))
  for (const until = Date.now() + READY_MS; ;) {
    if (failed ?? (child.exitCode !== null || child.signalCode !== null)) {
      throw new Error(`${name} did not start: ${failed?.message ?? lastWords(logFile)}`)
    }
    if (await takesConnections(port)) return
    if (Date.now() > until) {
      child.kill('SIGKILL')
      throw new Error(`${name} took no connection within ${READY_MS / 1_000} s: ${lastWords(logFile)}`)
    }
    await pause(LOOK_AGAIN_MS)
  }
}

function lastWords(logFile: string): string {
  return readFileSync(logFile, 'utf8').trim().split('\n').slice(-5).join('\n')
}

export function takesConnections(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    const end = (open: boolean) => (socket.destroy(), resolve(open))
    socket.once('connect', () => end(true))
    socket.once('error', () => end(false))
  })
}
