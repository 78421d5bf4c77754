import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { SERVICE_NAMES, type ServiceName } from '@cofre/platform/service/services'
import { certificateFiles, makeCertificates } from './certificates'
import { databaseUrl, prepareDatabase, untilAnswers } from './database'
import { makeKeys } from './keys'
import { partnersFor } from './partners'
import { writeReady, type Ready } from './ready-file'
import { describeLog, describeMissing, untilReady, type Readiness } from './readiness'
import { clearFolder, makeFolders, runFolder, writePrivately, type RunFolder } from './run-folder'
import { takeLock } from './run-lock'
import { runPrograms, type RunningPrograms } from './running-programs'
import { readState, saveState, type SavedState } from './saved-state'
import { makeDatabases, makePasswords } from './service-databases'
import { endLeftovers } from './started-children'
import { makeDemo } from './start-demo'
import { choosePorts } from './system-ports'
import {
  baseUrlOf,
  postgresProgram,
  sandboxProgram,
  sandboxUrlOf,
  partnerUrls,
  serviceProgram,
  type Adapt,
  type EngineUrls,
  type Surroundings,
} from './system-programs'

export type { Ready } from './ready-file'

export type LocalOptions = {
  /** The built repository. */
  root: string
  /** The folder for the system's files; `.run` for `npm start`. */
  runDir: string
  /** 0 takes the port of the last start, or any free port. */
  port: number
  sandboxPort: number
  /** Deletes everything that earlier starts left. */
  fresh?: boolean
  /** Writes nothing to stderr when a program is started again. */
  quiet?: boolean
  /** Settings for every program, in addition to this process's environment. */
  settings?: Record<string, string>
  /** Returns the settings of a service, from those that it would have; by default the same. */
  adapt?: Adapt
  /** PostgreSQL does not wait for the disk: a crash of the machine loses commits. For tests. */
  unsynced?: boolean
  /** Runs the event log and the history on these engines. */
  engines?: EngineUrls
  progress?: (step: string) => void
  /** Ends the start and stops the programs that it has started. */
  signal?: AbortSignal
}

export type LocalSystem = {
  ready: Ready
  /** The token of the demo seller's test card, whose payments are approved. */
  cardToken: string
  /** Resolves, with the reason, when a program cannot be kept running. */
  lost: Promise<string>
  /** Stops one service, which stays stopped until it is started again. */
  stopService(name: ServiceName): Promise<void>
  startService(name: ServiceName): void
  /** Stops everything in order. Resolves when no process is left. */
  stop(): Promise<void>
  /** Stops everything at once, without letting anything finish. */
  kill(): Promise<void>
}

const READY_TIMEOUT_MS = 120_000

/** Starts PostgreSQL, the sandbox and the services, makes the demo sellers and resolves when everything answers. */
export async function startLocal(options: LocalOptions): Promise<LocalSystem> {
  const run = runFolder(options.runDir)
  mkdirSync(run.dir, { recursive: true })
  const release = takeLock(run)
  const failed = new AbortController()
  let ready: Ready | undefined
  let lose = (_reason: string) => {}
  const lost = new Promise<string>((resolve) => (lose = resolve))
  const programs = runPrograms(run, {
    tell: (line) => options.quiet || process.stderr.write(`${line}\n`),
    changed: () => ready && writeReady(run, { ...ready, pids: programs.pids() }),
    lost: (reason, program) => {
      failed.abort(new Error(`${reason}.\n${describeLog(program)}`))
      lose(reason)
    },
  })
  const end = async (how: 'stop' | 'kill') => {
    ready = undefined
    rmSync(run.ready, { force: true })
    await programs[how]()
    release()
  }
  try {
    const signals = [failed.signal, AbortSignal.timeout(READY_TIMEOUT_MS)]
    const signal = AbortSignal.any(options.signal ? [...signals, options.signal] : signals)
    const started = await start(options, run, programs, signal)
    ready = { ...started.ready, pids: programs.pids() }
    writeReady(run, ready)
    return {
      ready,
      cardToken: started.cardToken,
      lost,
      stopService: async (name) =>
        programs
          .all()
          .find((program) => program.name === name)
          ?.stop(),
      startService: (name) => void programs.start(serviceProgram(started.around, name)),
      stop: () => end('stop'),
      kill: () => end('kill'),
    }
  } catch (error) {
    await end('stop')
    throw error
  }
}

async function start(
  options: LocalOptions,
  run: RunFolder,
  programs: RunningPrograms,
  signal: AbortSignal,
): Promise<{ ready: Omit<Ready, 'pids'>; cardToken: string; around: Surroundings }> {
  const progress = options.progress ?? (() => {})
  rmSync(run.ready, { force: true })
  const left = await endLeftovers(run)
  if (left.length > 0) progress(`Stopped programs of an earlier start: ${left.join(', ')}`)
  if (options.fresh) clearFolder(run)
  makeFolders(run)
  const state = readState(run)
  progress('Preparing ports, certificates and keys')
  const around = await prepare(options, run, state)
  progress(existsSync(run.postgres) ? 'Starting PostgreSQL' : 'Creating a database and starting PostgreSQL')
  await startPostgres(around, programs, signal, options.unsynced)
  progress(`Starting the sandbox and ${SERVICE_NAMES.length} services, and waiting until all of them answer`)
  programs.start(sandboxProgram(around))
  for (const name of SERVICE_NAMES) programs.start(serviceProgram(around, name))
  await untilAllAnswer(around, programs, signal)
  progress('Creating the demo sellers, or finding those of the last start')
  const demo = await makeDemo(around, state)
  signal.throwIfAborted()
  return { ...demo, around }
}

async function untilAllAnswer(
  { ports }: Surroundings,
  programs: RunningPrograms,
  signal: AbortSignal,
): Promise<void> {
  const seen: Readiness = { gateway: '', sandbox: '' }
  try {
    await untilReady(baseUrlOf(ports), sandboxUrlOf(ports), signal, seen)
  } catch (error) {
    if ((error as Error).name !== 'TimeoutError') throw error
    const missing = await describeMissing(ports, programs.all(), seen)
    throw new Error(`Not ready within ${READY_TIMEOUT_MS / 1_000} s. ${missing}`, { cause: error })
  }
}

/** Prepares all files: keeps those of the last start and makes the others. */
async function prepare(options: LocalOptions, run: RunFolder, state: SavedState): Promise<Surroundings> {
  const ports = await choosePorts({ http: options.port, sandbox: options.sandboxPort }, state.ports)
  const passwords = makePasswords(state.passwords)
  Object.assign(state, { ports, passwords })
  saveState(run, state)
  await makeCertificates(run)
  makeKeys(run)
  const partners = partnersFor(options.root, partnerUrls(ports), certificateFiles(run, 'vault').caFile)
  writePrivately(run.partners, `${JSON.stringify(partners, null, 2)}\n`)
  const { root, settings = {}, adapt = (_name, same) => same, engines } = options
  return { root, run, ports, passwords, settings, adapt, engines }
}

async function startPostgres(
  around: Surroundings,
  programs: RunningPrograms,
  signal: AbortSignal,
  unsynced = false,
): Promise<void> {
  const { run, ports, passwords } = around
  const password = passwords['postgres'] ?? ''
  const command = await prepareDatabase(run.postgres, ports.postgres, { password, unsynced })
  programs.start(postgresProgram(around, command))
  await untilAnswers(databaseUrl({ port: ports.postgres, password }), signal)
  await makeDatabases(ports.postgres, passwords)
}
