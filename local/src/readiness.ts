import { connect } from 'node:net'
import { readFileSync } from 'node:fs'
import type { Supervised } from './supervise'
import { SERVICES, type ServiceName } from './system-programs'
import type { SystemPorts } from './system-ports'
import { waitUntil } from './wait-until'

const PROBE_TIMEOUT_MS = 2_000
const TAIL_LINES = 15

/** Resolves when the gateway says that everything it needs answers, and the sandbox is there too. */
export async function untilReady(baseUrl: string, sandboxUrl: string, signal: AbortSignal): Promise<void> {
  const answers = (url: string) =>
    waitUntil(async () => ((await statusOf(url)) === 200 ? true : undefined), signal)
  await Promise.all([answers(`${baseUrl}/readyz`), answers(`${sandboxUrl}/healthz`)])
}

async function statusOf(url: string): Promise<number> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) })
    await response.body?.cancel()
    return response.status
  } catch {
    return 0
  }
}

/** Which programs do not take connections, and the last lines of their logs. */
export async function describeMissing(ports: SystemPorts, programs: Supervised[]): Promise<string> {
  const names = ['sandbox', ...SERVICES] as ('sandbox' | ServiceName)[]
  const listening = await Promise.all(names.map((name) => takesConnections(ports[name])))
  const silent = names.filter((_name, at) => !listening[at])
  // When all listen, the gateway's log says which of them it does not reach.
  const shown = silent.length > 0 ? silent : ['gateway']
  const logs = programs.filter(({ name }) => shown.includes(name)).map(describeLog)
  return [`Missing: ${silent.join(', ') || 'none, but /readyz is not 200'}.`, ...logs].join('\n')
}

export function describeLog({ name, logFile }: Pick<Supervised, 'name' | 'logFile'>): string {
  const lines = readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-TAIL_LINES)
  return `--- ${name} (${logFile})\n${lines.join('\n')}`
}

function takesConnections(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', timeout: PROBE_TIMEOUT_MS })
    const answer = (taken: boolean) => (socket.destroy(), resolve(taken))
    socket.once('connect', () => answer(true))
    socket.once('timeout', () => answer(false))
    socket.once('error', () => answer(false))
  })
}
