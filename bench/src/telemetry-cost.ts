import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { freePorts } from '@cofre/engines/ports'
import { median } from './figures'
import { drive } from './load'
import { startMeasuredSystem, type MeasuredSystem } from './measured-system'
import { authorizeAsk } from './paths'

export type TelemetryCost = { plain: number; traced: number; share: number; spans: number; kept: boolean }

const CLIENTS = 16
const CHARGES = 1_000
/** Of the throughput without telemetry, so much is to be left with one request of ten traced. */
const SHARE_MIN = 0.9
const SAMPLED = '0.1'

/**
 * Authorize with sixteen clients, on a product that tells nothing and on one with metrics and traces, round by round in
 * turns. The collector runs here, on the same cores: in life it doesn't.
 */
export async function measureTelemetry(
  { rounds, seconds }: { rounds: number; seconds: number },
  progress: (text: string) => void,
): Promise<TelemetryCost> {
  const collector = await startCollector()
  const ports = await freePorts(10)
  const plain = await startMeasuredSystem({ charges: CHARGES, settings: {}, progress })
  try {
    const traced = await startMeasuredSystem({
      charges: CHARGES,
      settings: {},
      adapt: (_name, own) => ({
        ...own,
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_TRACES_SAMPLER_ARG: SAMPLED,
        METRICS_HOST: '127.0.0.1',
        METRICS_PORT: String(ports.pop()),
      }),
      progress,
    })
    try {
      const perSecond = { plain: [] as number[], traced: [] as number[] }
      for (const warm of [plain, traced]) await authorizeFor(warm, 3 * seconds)
      for (let round = 0; round < rounds; round += 1) {
        const turn = round % 2 === 0 ? (['plain', 'traced'] as const) : (['traced', 'plain'] as const)
        for (const which of turn) {
          perSecond[which].push(await authorizeFor(which === 'plain' ? plain : traced, seconds))
        }
        progress(`round ${round + 1} of ${rounds}`)
      }
      const found = { plain: median(perSecond.plain), traced: median(perSecond.traced) }
      const share = found.traced / found.plain
      return { ...found, share, spans: collector.spans(), kept: share >= SHARE_MIN }
    } finally {
      await traced.stop()
    }
  } finally {
    await plain.stop()
    await collector.stop()
  }
}

async function authorizeFor({ target }: MeasuredSystem, seconds: number): Promise<number> {
  const next = () => authorizeAsk(target)
  const round = await drive({ url: target.url, clients: CLIENTS, seconds, expect: 201, next })
  if (round.failures > 0) throw new Error(`authorize failed: ${round.firstFailure}`)
  return round.latenciesMs.length / round.seconds
}

/** Takes spans and counts them. */
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
