import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Sample } from './receivers'

export type BareAsk = { urls: string[]; samples: Sample[]; count: number; atOnce: number }
/** `cpuMs` is the CPU time of the posting process for each post. */
export type BareFound = { perSecond: number; cpuMs: number; failures: number }

/** Headers that the HTTP client sets itself. */
const NOT_SENT = ['host', 'connection', 'content-length', 'transfer-encoding']

/** Posts the same bodies with the notifier's own client and nothing else: no database, log or signature. */
export async function runBareLoop(ask: BareAsk): Promise<BareFound> {
  const samples = ask.samples.map((sample) => ({
    ...sample,
    headers: Object.fromEntries(Object.entries(sample.headers).filter(([name]) => !NOT_SENT.includes(name))),
  }))
  const child = fork(join(__dirname, '../../dist/notifications/bare-loop-program.js'), {
    serialization: 'advanced',
  })
  child.send({ ...ask, samples })
  const [found] = (await once(child, 'message')) as [BareFound]
  return found
}
