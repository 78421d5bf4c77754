import { writePrivately, type RunFolder } from './run-folder'

/** The addresses and credentials of a running system, as in `.run/ready.json`. */
export type Ready = {
  baseUrl: string
  token: string
  sellerId: number
  /** A seller without an establishment for network tokens. */
  secondSeller: { sellerId: number; token: string }
  sandboxUrl: string
  /** `{sandboxInboxUrl}/{name}` takes notifications over https; the authority in `caFile` signed its certificate. */
  sandboxInboxUrl: string
  caFile: string
  portal: { url: string; email: string; password: string }
  /** The metrics addresses for Prometheus, by service. */
  metrics: Record<string, string>
  /** By program; rewritten when one is started again. */
  pids: Record<string, number>
}

export function writeReady(run: RunFolder, ready: Ready): void {
  writePrivately(run.ready, `${JSON.stringify(ready, null, 2)}\n`)
}
