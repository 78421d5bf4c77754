import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { SERVICE_NAMES } from '@cofre/platform/service/services'
import type { Supervised } from './supervise'
import type { SystemPorts } from './system-ports'
import { waitUntil } from './wait-until'

const PROBE_TIMEOUT_MS = 2_000
const TAIL_LINES = 15
const SEEN_MAX = 500

/** The last answers to the readiness checks. */
export type Readiness = { gateway: string; sandbox: string }

/** Resolves when the gateway reports that everything it needs answers, and the sandbox answers too. */
export async function untilReady(
  baseUrl: string,
  sandboxUrl: string,
  signal: AbortSignal,
  seen: Readiness,
): Promise<void> {
  const answers = (who: keyof Readiness, url: string) =>
    waitUntil(async () => {
      const { status, text } = await ask(url)
      seen[who] = text
      return status === 200 ? true : undefined
    }, signal)
  await Promise.all([answers('gateway', `${baseUrl}/readyz`), answers('sandbox', `${sandboxUrl}/healthz`)])
}

async function ask(url: string): Promise<{ status: number; text: string }> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) })
    return { status: response.status, text: (await response.text()).slice(0, SEEN_MAX) }
  } catch {
    return { status: 0, text: '' }
  }
}

/** Describes the programs that accept no connections or that the gateway reports, with the last lines of their logs. */
export async function describeMissing(
  ports: SystemPorts,
  programs: readonly Supervised[],
  seen: Readiness,
): Promise<string> {
  const names = ['sandbox', ...SERVICE_NAMES] as const
  const listening = await Promise.all(names.map((name) => takesConnections(ports[name])))
  const missing = names.filter(
    (name, at) => !listening[at] || new RegExp(`"${name}":\\s*"DOWN"`).test(seen.gateway),
  )
  const logs = programs.filter(({ name }) => missing.some((other) => other === name)).map(describeLog)
  const said = seen.gateway && `The gateway says: ${seen.gateway}`
  return [`Missing: ${missing.join(', ') || 'unknown'}.`, said, ...logs].filter(Boolean).join('\n')
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
