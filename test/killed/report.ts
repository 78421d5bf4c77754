import { allTargets, describePoint, VICTIMS, type Target } from './points'
import type { RunResult } from './run'

/** A table with a row for each moment: how often each program was killed at it, and the breaches of those runs. */
export function killTable(results: readonly RunResult[]): string {
  const aimed = results.flatMap(({ killed, missed }) => [...killed, ...missed]).map(pointOf)
  const points = [...new Set(allTargets().map(pointOf))].filter((point) => aimed.includes(point)).sort()
  const rows = points.map((point) => {
    const kills = (test: (target: Target) => boolean) =>
      results.flatMap(({ killed }) => killed).filter((target) => pointOf(target) === point && test(target))
        .length
    const breaches = results
      .filter(({ killed }) => killed.some((target) => pointOf(target) === point))
      .reduce((sum, result) => sum + result.breaches.length, 0)
    const counts = VICTIMS.map((victim) => kills((target) => target.victim === victim) || '')
    return [point, ...counts, kills(() => true), breaches]
  })
  const sums = VICTIMS.map((victim) => totalOf(results, victim))
  const breaches = results.reduce((sum, result) => sum + result.breaches.length, 0)
  const header = ['point', ...VICTIMS, 'kills', 'breaches']
  const all = ['all', ...sums, sums.reduce((one, other) => one + other, 0), breaches]
  return [header, header.map(() => '---'), ...rows, all].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

function pointOf({ what, when }: Target): string {
  return describePoint(what, when)
}

function totalOf(results: readonly RunResult[], victim: string): number {
  return results.flatMap(({ killed }) => killed).filter((target) => target.victim === victim).length
}

/** The moments that were tried and never reached: they are rare, or no client's orders lead to them. */
export function neverReached(results: readonly RunResult[]): string[] {
  const reached = new Set(results.flatMap(({ killed }) => killed).map(pointOf))
  const missed = new Set(results.flatMap((result) => result.missed).map(pointOf))
  return [...missed].filter((point) => !reached.has(point)).sort()
}

export function describeRun({
  seed,
  killed,
  missed,
  charges,
  requests,
  vouchers,
  invoices,
  payments,
  money,
  disputes,
  quietAfterMs,
  lastPending,
  breaches,
}: RunResult): string {
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`
  const back = killed.flatMap(({ backAfterMs }) => backAfterMs ?? []).sort((one, other) => one - other)
  const unreached = missed.map(pointOf).join(', ')
  const ends = Object.entries(vouchers.ends).map(([end, count]) => `${count} ${end}`)
  return [
    `seed ${seed}: ${killed.length} kills, ${charges} charges, ${requests} requests,`,
    `${vouchers.payments} voucher payments, redirects: ${ends.join(', ') || 'none'}, ${invoices.invoices} invoices, ${payments.paid} of ${payments.invoices} paid, ${money.invoices} with odd money, ${disputes} disputes,`,
    `back after ${seconds(back[Math.floor(back.length / 2)] ?? 0)} (at most ${seconds(back.at(-1) ?? 0)}),`,
    `quiet after ${seconds(quietAfterMs)} (${lastPending.join(', ') || 'at once'}), ${breaches.length} breaches`,
    missed.length > 0 ? `(not reached: ${unreached})` : '',
  ].join(' ')
}

/** How long the system did not answer after a kill: the median and the longest time, by victim. */
export function recoveryTable(results: readonly RunResult[]): string {
  const rows = VICTIMS.map((victim) => {
    const times = results
      .flatMap(({ killed }) => killed)
      .flatMap((kill) => (kill.victim === victim && kill.backAfterMs !== null ? kill.backAfterMs : []))
      .sort((one, other) => one - other)
    return [victim, times.length, times[Math.floor(times.length / 2)] ?? '', times.at(-1) ?? '']
  })
  const header = ['killed', 'times', 'back after, median ms', 'at most']
  return [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
