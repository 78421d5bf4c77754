import { holdsCardNumber } from '@cofre/platform/card/card-number'
import { loadavg } from 'node:os'
import { percentile } from '../figures'

type Cost = { shape: string; firstMs: number; p50: number; leastMs: number }
export type CardNetResult = { costs: readonly Cost[]; load: number; kept: boolean }

/** Bytes of the longest body that is read. */
const BYTES = 256 * 1024
/** CPU time of one search, by the least of its times: other programs only make it longer. */
const MAX_MS = 20

/** Texts made to cost much, each of one part, again and again. */
const SHAPES: readonly (readonly [shape: string, part: string])[] = [
  ['zeros and blanks', '0 '],
  ['fours and blanks', '4 '],
  ['groups of zeros', '0000 '],
  ['groups of a card', '4539 5787 '],
  ['dashes between blanks', '4 - '],
  ['tabs', '4\t'],
  ['full-width digits', '\uff14\u3000'],
  ['one piece', '4'],
  ['digits of a URL', '%34%35'],
  ['many kinds of separators', '4539-5787 6362.1486/'],
  ['words of hexadecimal digits', 'f7a3c921-7a3c-4217-a3c9-217a3c921111 '],
  ['ordinary words', 'Rua das Flores 12, ap. 34 '],
]

/** Searches each shape `rounds` times, in texts of 256 KiB as UTF-8. */
export function measureCardNet(rounds: number): CardNetResult {
  const costs = SHAPES.map(([shape, part]): Cost => {
    const text = part.repeat(Math.floor(BYTES / Buffer.byteLength(part)))
    const times = Array.from({ length: rounds }, () => cpuMs(() => holdsCardNumber(text)))
    return { shape, firstMs: times[0] ?? 0, p50: percentile(times, 0.5), leastMs: Math.min(...times) }
  })
  return cardNetResult(costs, loadavg()[0] ?? 0)
}

export function cardNetResult(costs: readonly Cost[], load: number): CardNetResult {
  return { costs, load, kept: costs.every(({ leastMs }) => leastMs <= MAX_MS) }
}

function cpuMs(run: () => void): number {
  const from = process.cpuUsage()
  run()
  const { user, system } = process.cpuUsage(from)
  return (user + system) / 1_000
}

export function cardNetReport({ costs, load }: CardNetResult): string {
  return [
    `256 KiB of each shape, at most ${MAX_MS} ms of CPU; load average ${load.toFixed(1)}.`,
    '',
    '| shape | the first, ms | p50 ms | least ms | |',
    '| --- | --- | --- | --- | --- |',
    ...costs.map(({ shape, firstMs, p50, leastMs }) => {
      const times = [firstMs, p50, leastMs].map((each) => each.toFixed(1))
      return `| ${[shape, ...times, leastMs <= MAX_MS ? 'kept' : '**missed**'].join(' | ')} |`
    }),
  ].join('\n')
}
