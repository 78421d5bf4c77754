import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { addressSettingOf, SERVICE_NAMES, services, type ServiceName } from '@cofre/platform/service/services'
import { takesConnections } from '../../engines/src/engine'
import { freePorts } from '../../engines/src/ports'
import { waitUntil } from '../../local/src/wait-until'
import { startSystem, type System } from '../journeys/system'
import { startBalancer } from './balancer'

const ROOT = join(__dirname, '../..')

/** As a deployment's preStop hook: nobody new is sent to a replica for so long before it is asked to stop. */
const OUT_OF_ROTATION_MS = 300
/** Ends what hangs. Starting took 10 s beside two busy processes, and over 30 s beside other tests on two cores. */
const READY_MS = 180_000
/** Far shorter than in life, so that connections come to their age many times while a test runs. */
const CONNECTION_AGE_MS = '1500'

export type Replicated = {
  system: System
  /** The system, as seen through a balancer before both gateways, with connections kept alive. */
  balanced: System
  /** Asks one replica to stop, waits until it is gone, and until it answers again. */
  restart(service: ServiceName, replica: 0 | 1): Promise<void>
  /** What every program wrote, by its name. */
  logs(): Map<string, string>
  stop(): Promise<void>
}

/** Two of each service on one machine, each with an address of its own. Both replicas of one share its database. */
export async function startReplicas(settings: Record<string, string> = {}): Promise<Replicated> {
  const [http = 0, ...others] = await freePorts(1 + SERVICE_NAMES.length)
  const seconds = Object.fromEntries(SERVICE_NAMES.map((service, at) => [service, others[at] ?? 0]))
  const given = new Map<ServiceName, Record<string, string>>()
  const both = (address: string | undefined, service: ServiceName) =>
    `${address?.replace('localhost', '127.0.0.1')},127.0.0.1:${seconds[service]}`
  const system = await startSystem(undefined, {
    adapt: (name, own) => {
      const adapted = { ...own, ...settings, GRPC_MAX_CONNECTION_AGE_MS: CONNECTION_AGE_MS }
      for (const service of SERVICE_NAMES) {
        const setting = addressSettingOf(service)
        if (own[setting]) Object.assign(adapted, { [setting]: both(own[setting], service) })
      }
      given.set(name, adapted)
      return adapted
    },
  })
  const ports = (service: ServiceName) => [
    Number(given.get(service)?.[services[service].http ? 'HTTP_PORT' : 'GRPC_PORT']),
    services[service].http ? http : seconds[service],
  ]
  const start = (service: ServiceName) => {
    const { METRICS_PORT: _firstHasIt, ...own } = given.get(service) ?? {}
    return startSecond(system, service, {
      ...own,
      GRPC_PORT: String(seconds[service]),
      MIGRATE_ON_START: 'false',
      ...(services[service].http ? { HTTP_PORT: String(http) } : {}),
    })
  }
  const running = new Map<ServiceName, ChildProcess>()
  for (const service of SERVICE_NAMES) running.set(service, start(service))
  try {
    await Promise.all(
      [...running].map(([service, child]) => untilServing(ports(service)[1] ?? 0, unlessItEnds(child))),
    )
  } catch (error) {
    for (const child of running.values()) child.kill('SIGKILL')
    await system.stop()
    throw error
  }

  const gateways = [Number(new URL(system.ready.baseUrl).port), http] as const
  const balancer = await startBalancer(gateways)
  const balanced: System = {
    ...system,
    api: (method, path, options) => system.api(method, `${balancer.url}${path}`, options),
  }
  const restart = async (service: ServiceName, replica: 0 | 1) => {
    if (services[service].http) balancer.inRotation.delete(gateways[replica])
    await pause(OUT_OF_ROTATION_MS)
    const port = ports(service)[replica] ?? 0
    if (replica === 0) {
      process.kill(pidOf(system, service), 'SIGTERM') // Whoever supervises it starts it again.
      await untilGone(port)
    } else {
      await end(running.get(service))
      running.set(service, start(service))
    }
    await untilServing(port)
    if (services[service].http) balancer.inRotation.add(gateways[replica])
  }
  const logs = () => {
    const folder = join(system.runDir, 'logs')
    return new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
  }
  const stop = async () => {
    await balancer.close()
    await Promise.all([...running.values()].map(end))
    await system.kill()
  }
  return { system, balanced, restart, logs, stop }
}

function startSecond(system: System, service: ServiceName, env: Record<string, string>): ChildProcess {
  const log = openSync(join(system.runDir, 'logs', `${service}-2.log`), 'a')
  const file = join(ROOT, 'services', service, 'dist', 'main.js')
  const child = spawn(process.execPath, [file], {
    env: { ...process.env, ...env },
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  return child
}

async function end(child: ChildProcess | undefined): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  const [code] = (await gone) as [number | null]
  if (code !== 0) throw new Error(`a replica ended with ${code}`)
}

/** As it is now: a program that was started again has another. */
function pidOf({ runDir }: System, service: ServiceName): number {
  const { pids } = JSON.parse(readFileSync(join(runDir, 'ready.json'), 'utf8')) as System['ready']
  return pids[service] ?? 0
}

/** Ends a wait for a program that is there no more. */
function unlessItEnds(child: ChildProcess): AbortSignal {
  const ended = new AbortController()
  child.once('exit', (code) => ended.abort(new Error(`a replica ended with ${code} while it started`)))
  return ended.signal
}

const untilServing = (port: number, signal = new AbortController().signal) =>
  waitUntil(
    async () => (await takesConnections(port)) || undefined,
    AbortSignal.any([signal, AbortSignal.timeout(READY_MS)]),
  )
const untilGone = (port: number) =>
  waitUntil(async () => !(await takesConnections(port)) || undefined, AbortSignal.timeout(READY_MS))
