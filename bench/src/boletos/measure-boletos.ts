import { execFile } from 'node:child_process'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { percentile } from '../figures'

/** Milliseconds of each slip, elapsed and of CPU; the size of one in bytes. `firstMs`: of the first one, while cold. */
export type DrawnSlips = { firstMs: number; times: number[]; cpuTimes: number[]; bytes: number }

export type BoletosResult = Pick<DrawnSlips, 'firstMs' | 'bytes'> & {
  count: number
  p50: number
  p99: number
  /** CPU time: the elapsed time on a core that no other program wants. */
  cpuP50: number
  cpuP99: number
  /** How many programs wanted a core at the end, by Linux's load average. */
  load: number
  kept: boolean
}

const P50_MAX_MS = 50
const TIMEOUT_MS = 600_000

/** Draws `count` slips as the service does, one after another, in a process that has one core. Linux only. */
export async function measureBoletos(count: number): Promise<BoletosResult> {
  const program = join(__dirname, 'draw-slips.js')
  const args = ['-c', '0', process.execPath, program, String(count)]
  const { stdout } = await promisify(execFile)('taskset', args, { timeout: TIMEOUT_MS })
  return boletosResult(JSON.parse(stdout) as DrawnSlips, loadavg()[0] ?? 0)
}

export function boletosResult({ times, cpuTimes, firstMs, bytes }: DrawnSlips, load: number): BoletosResult {
  const p50 = percentile(times, 0.5)
  const cpu = { cpuP50: percentile(cpuTimes, 0.5), cpuP99: percentile(cpuTimes, 0.99) }
  const [count, p99] = [times.length, percentile(times, 0.99)]
  return { count, firstMs, bytes, p50, p99, ...cpu, load, kept: p50 <= P50_MAX_MS }
}

export function boletosReport(result: BoletosResult): string {
  const { count, p50, p99, cpuP50, cpuP99, firstMs, bytes, load, kept } = result
  const times = [p50, p99, cpuP50, cpuP99].map((each) => each.toFixed(1))
  const sizes = [firstMs.toFixed(0), (bytes / 1_000).toFixed(1)]
  const verdict = kept ? 'kept' : '**missed**'
  const row = ['PDF of a boleto, p50', `≤ ${P50_MAX_MS} ms`, ...times, ...sizes, verdict]
  return [
    `${count} slips one after another, on one core; load average ${load.toFixed(1)}.`,
    '',
    '| budget | limit | p50 ms | p99 ms | CPU p50 ms | CPU p99 ms | the first, ms | KB | |',
    '| --- | --- | --- | --- | --- | --- | --- | --- | --- |',
    `| ${row.join(' | ')} |`,
  ].join('\n')
}
