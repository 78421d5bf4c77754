import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { addressSettingOf, SERVICE_NAMES, services, type ServiceName } from '@cofre/platform/service/services'
import { takesConnections } from '../../engines/src/engine'
import { freePorts } from '../../engines/src/ports'
import { supervise, type Supervised } from '../../local/src/supervise'
import { waitUntil } from '../../local/src/wait-until'
import { startSystem, type System } from '../journeys/system'
import { startBalancer } from './balancer'

const ROOT = join(__dirname, '../..')

/** Like a deployment's preStop hook: for this long before its stop, a replica gets no new connections. */
const OUT_OF_ROTATION_MS = 300
/** Ends a start that hangs. A start took 10 s beside two busy processes, and over 30 s beside tests on two cores. */
const READY_MS = 180_000
/** A gateway drains for 5 s, and requests may outlast that. */
const STOPS_WITHIN_MS = 60_000
/** Far shorter than in production, so that connections reach their age many times while a test runs. */
const CONNECTION_AGE_MS = '3000'

export type Replicated = {
  system: System
  /** The system, as seen through a balancer before both gateways, with connections kept alive. */
  balanced: System
  /** Asks one replica to stop, waits until it is gone, and until it answers again. */
  restart(service: ServiceName, replica: 0 | 1): Promise<void>
  /** The log of every program, by its name. */
  logs(): Map<string, string>
  stop(): Promise<void>
}

/** Starts two replicas of each service on one machine, each with its own address. Both share the database. */
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
  const running = new Map(SERVICE_NAMES.map((service) => [service, start(service)]))
  const serves = (service: ServiceName, { lost }: Second) =>
    Promise.race([untilServing(ports(service)[1] ?? 0), lost.then(fail)])
  try {
    await Promise.all(Array.from(running, ([service, second]) => serves(service, second)))
  } catch (error) {
    await Promise.all(Array.from(running.values(), (second) => second.kill()))
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
    if (replica === 1) await running.get(service)?.endWell()
    else process.kill(pidOf(system, service), 'SIGTERM') // Its supervisor starts it again.
    await untilGone(port)
    await untilServing(port)
    if (services[service].http) balancer.inRotation.add(gateways[replica])
  }
  const logs = () => {
    const folder = join(system.runDir, 'logs')
    return new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]))
  }
  const stop = async () => {
    await balancer.close()
    const ended = await Promise.allSettled(Array.from(running.values(), (second) => second.endWell()))
    await Promise.all(Array.from(running.values(), (second) => second.stop()))
    await system.kill()
    for (const each of ended) if (each.status === 'rejected') throw each.reason
  }
  return { system, balanced, restart, logs, stop }
}

type Second = Supervised & {
  /** Asks it to stop; resolves when it is gone, rejects when it did not end well. Its supervisor restarts it. */
  endWell(): Promise<void>
}

function startSecond({ runDir }: System, service: ServiceName, env: Record<string, string>): Second {
  let pid = 0
  let ended = (_how: string) => {}
  const supervised = supervise(
    {
      name: service,
      command: process.execPath,
      args: [join(ROOT, 'services', service, 'dist', 'main.js')],
      cwd: ROOT,
      env: { ...process.env, ...env },
      logFile: join(runDir, 'logs', `${service}-2.log`),
      stopSignals: ['SIGTERM', 'SIGKILL'],
      graceMs: STOPS_WITHIN_MS,
    },
    { started: (its) => (pid = its), died: (how) => ended(how) },
  )
  const endWell = async () => {
    const gone = new Promise<string>((resolve) => (ended = resolve))
    process.kill(pid, 'SIGTERM')
    const how = await gone
    if (!how.includes('(exit code 0)')) fail(how)
  }
  return { ...supervised, endWell }
}

function fail(reason: string): never {
  throw new Error(reason)
}

/** The current process id: a restarted program has another. */
function pidOf({ runDir }: System, service: ServiceName): number {
  const { pids } = JSON.parse(readFileSync(join(runDir, 'ready.json'), 'utf8')) as System['ready']
  return pids[service] ?? 0
}

const untilServing = (port: number) =>
  waitUntil(async () => (await takesConnections(port)) || undefined, AbortSignal.timeout(READY_MS))
const untilGone = (port: number) =>
  waitUntil(async () => !(await takesConnections(port)) || undefined, AbortSignal.timeout(READY_MS))
