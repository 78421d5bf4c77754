import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { rest } from '../rest'

const MAIN = join(__dirname, '../../../services/notifier/dist/main.js')
const PROFILER = join(__dirname, '../../dist/profiler.js')
const SERVING_MS_MAX = 60_000
const STOP_MS_MAX = 40_000

export type NotifierProgram = { pid: number; port: number; stop(): Promise<void> }

/** Starts the built notifier, with its log in a file as in a deployment. Resolves when it serves. */
export async function startProgram(
  logFile: string,
  settings: Record<string, string>,
  profileDir?: string,
): Promise<NotifierProgram> {
  const log = openSync(logFile, 'a')
  const profiled = profileDir ? { NODE_OPTIONS: `--require ${PROFILER}`, PROFILE_DIR: profileDir } : {}
  const env = { PATH: process.env['PATH'] ?? '', ...settings, ...profiled }
  const child = spawn(process.execPath, [MAIN], { env, stdio: ['ignore', log, log] })
  closeSync(log)
  const port = await untilServing(child, logFile)
  return { pid: child.pid ?? 0, port, stop: () => stop(child) }
}

async function untilServing(child: ChildProcess, logFile: string): Promise<number> {
  for (const until = Date.now() + SERVING_MS_MAX; ; await rest(0.05)) {
    const text = readFileSync(logFile, 'utf8')
    const line = text.split('\n').findLast((each) => each.includes(' is serving"'))
    if (line?.includes(`"pid":${child.pid}`)) return (JSON.parse(line) as { port: number }).port
    if (child.exitCode === null && Date.now() < until) continue
    child.kill('SIGKILL')
    throw new Error(`the notifier did not start: ${text.slice(-2_000)}`)
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS_MAX)
  child.kill('SIGTERM')
  await gone
  clearTimeout(timer)
}
