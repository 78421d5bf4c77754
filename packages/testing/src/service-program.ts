import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Tls } from '@cofre/platform/grpc/tls'

export type Program = {
  /** The port of its gRPC server. Rejects with the program's own reason when it ends before it serves. */
  serving: Promise<number>
  /** Its exit code, or the signal that ended it. */
  exited: Promise<number | NodeJS.Signals>
  stderr(): string
  kill(signal: NodeJS.Signals): void
}

/** Starts the built program of a service with these settings, and reads its log lines. */
export function startProgram(main: string, env: NodeJS.ProcessEnv, args: string[] = []): Program {
  const child = spawn(process.execPath, [main, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let stderr = ''
  let stopped = ''
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  const exited = once(child, 'exit').then(([code, signal]) => (code ?? signal) as number | NodeJS.Signals)
  const serving = new Promise<number>((resolve, reject) => {
    createInterface(child.stdout).on('line', (line) => {
      const { msg, port } = JSON.parse(line) as { msg?: string; port: number }
      if (msg?.endsWith(' is serving')) resolve(port)
      if (msg === 'stopped') stopped = line
    })
    exited.then(() => reject(new Error(stderr + stopped)), reject)
  })
  serving.catch(() => {})
  return { serving, exited, stderr: () => stderr, kill: (signal) => void child.kill(signal) }
}

export type ServiceProgram = {
  settings: Record<string, string>
  start(args?: string[], changes?: Record<string, string>): Program
  /** Ends the programs that still run, and deletes their files. */
  remove(): Promise<void>
}

/** Runs a service as deployed, any number of times. `files`: the settings that name a file, with the file's text. */
export function serviceProgram(
  main: string,
  parts: { tls: Tls; settings: Record<string, string>; files?: Record<string, string> },
): ServiceProgram {
  const dir = mkdtempSync(join(tmpdir(), 'cofre-program-'))
  const { ca, cert, key } = parts.tls
  const files = { TLS_CA_FILE: ca, TLS_CERT_FILE: cert, TLS_KEY_FILE: key, ...parts.files }
  const settings: Record<string, string> = {
    PATH: process.env.PATH ?? '',
    GRPC_HOST: '127.0.0.1',
    GRPC_PORT: '0',
    ...parts.settings,
  }
  for (const [setting, text] of Object.entries(files)) {
    settings[setting] = join(dir, setting)
    writeFileSync(join(dir, setting), text)
  }
  const running: Program[] = []
  const start: ServiceProgram['start'] = (args, changes) => {
    const program = startProgram(main, { ...settings, ...changes }, args)
    running.push(program)
    return program
  }
  const remove = async () => {
    for (const program of running) program.kill('SIGKILL')
    await Promise.all(running.map(({ exited }) => exited))
    rmSync(dir, { recursive: true })
  }
  return { settings, start, remove }
}
