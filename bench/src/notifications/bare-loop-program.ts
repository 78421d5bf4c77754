import { join } from 'node:path'
import { outboundSetting } from '@cofre/platform/outbound/outbound-guard'
import type { BareAsk, BareFound } from './bare-loop'

const NOTIFIER = join(__dirname, '../../../services/notifier/dist')

type Sender = { send(message: { url: string; headers: object; body: string }): Promise<{ status?: number }> }

// The client of the notifier, as built.
const { createHttpSender } = require(join(NOTIFIER, 'deliveries/http-sender.js')) as {
  createHttpSender: (options: { allowed: unknown }) => Sender
}

async function run({ urls, samples, count, atOnce }: BareAsk): Promise<BareFound> {
  const sender = createHttpSender({ allowed: outboundSetting.parse('127.0.0.0/8') })
  let next = 0
  let failures = 0
  const loop = async () => {
    while (next < count) {
      const at = next++
      const { headers, body } = samples[at % samples.length] ?? { headers: {}, body: '' }
      const { status } = await sender.send({ url: urls[at % urls.length] ?? '', headers, body })
      if (status !== 200) failures += 1
    }
  }
  const cpuBefore = process.cpuUsage()
  const startedAt = performance.now()
  await Promise.all(Array.from({ length: atOnce }, loop))
  const seconds = (performance.now() - startedAt) / 1_000
  const { user, system } = process.cpuUsage(cpuBefore)
  return { perSecond: count / seconds, cpuMs: (user + system) / 1_000 / count, failures }
}

process.once('message', (ask: BareAsk) => {
  void run(ask).then((found) => process.send?.(found, () => process.disconnect()))
})
