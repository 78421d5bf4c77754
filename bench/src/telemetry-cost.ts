import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { freePorts } from '@cofre/engines/ports'
import type { Adapt } from '@cofre/local/system-programs'
import { median } from './figures'
import { drive } from './load'
import { startMeasuredSystem, type MeasuredSystem } from './measured-system'
import { authorizeAsk } from './paths'

export type TelemetryCost = { plain: number; traced: number; share: number; spans: number; kept: boolean }

const CLIENTS = 16
const CHARGES = 1_000
/** The share of the throughput that must remain when one of ten requests is traced. */
const SHARE_MIN = 0.9
const SAMPLED = '0.1'
const WARM_ROUNDS = 3
const STARTS: [Which, Which][] = [
  ['plain', 'traced'],
  ['traced', 'plain'],
]

type Which = 'plain' | 'traced'

/**
 * Measures authorize with sixteen clients in turns, on a product without and on one with metrics and traces.
 * A second time, the other one starts first: here even two equal ones differ by several hundredths. The share is
 * the median over each two consecutive turns. The collector runs on the same cores, unlike in production.
 */
export async function measureTelemetry(
  { rounds, seconds }: { rounds: number; seconds: number },
  progress: (text: string) => void,
): Promise<TelemetryCost> {
  const collector = await startCollector()
  const traced = async (): Promise<Adapt> => {
    const ports = await freePorts(10)
    return (_name, own) => ({
      ...own,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_TRACES_SAMPLER_ARG: SAMPLED,
      METRICS_HOST: '127.0.0.1',
      METRICS_PORT: String(ports.pop()),
    })
  }
  const start = async (which: Which) => {
    const adapt = which === 'traced' ? { adapt: await traced() } : {}
    return startMeasuredSystem({ charges: CHARGES, settings: {}, progress, ...adapt })
  }
  const perSecond: Record<Which, number[]> = { plain: [], traced: [] }
  try {
    for (const [first, second] of STARTS) {
      const systems = new Map<Which, MeasuredSystem>()
      try {
        for (const which of [first, second]) systems.set(which, await start(which))
        for (const system of systems.values()) await authorizeFor(system, WARM_ROUNDS * seconds)
        for (let round = 1; round <= rounds; round++) {
          for (const [which, system] of round % 2 === 0 ? systems : [...systems].toReversed()) {
            perSecond[which].push(await authorizeFor(system, seconds))
          }
          progress(`started ${first} first, round ${round} of ${rounds}`)
        }
      } finally {
        for (const system of systems.values()) await system.stop()
      }
    }
  } finally {
    await collector.stop()
  }
  const share = median(perSecond.traced.map((rate, at) => rate / (perSecond.plain[at] ?? 0)))
  const found = { plain: median(perSecond.plain), traced: median(perSecond.traced), share }
  return { ...found, spans: collector.spans(), kept: share >= SHARE_MIN }
}

async function authorizeFor({ target }: MeasuredSystem, seconds: number): Promise<number> {
  const next = () => authorizeAsk(target)
  const round = await drive({ url: target.url, clients: CLIENTS, seconds, expect: 201, next })
  if (round.failures > 0) throw new Error(`authorize failed: ${round.firstFailure}`)
  return round.latenciesMs.length / round.seconds
}

/** Accepts spans and counts them. */
async function startCollector() {
  let spans = 0
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      spans += Buffer.concat(chunks).toString().split('"spanId"').length - 1
      response.setHeader('content-type', 'application/json').end('{}')
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const stop = () => new Promise((resolve) => (server.close(resolve), server.closeAllConnections()))
  return { url, spans: () => spans, stop }
}
