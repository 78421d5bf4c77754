import { writePrivately, type RunFolder } from './run-folder'

/** How to reach a system that answers: what `.run/ready.json` says. */
export type Ready = {
  baseUrl: string
  token: string
  sellerId: number
  /** Has no establishment for network tokens. */
  secondSeller: { sellerId: number; token: string }
  sandboxUrl: string
  /** `{sandboxInboxUrl}/{name}` takes notifications over https; its certificate is of the authority in `caFile`. */
  sandboxInboxUrl: string
  caFile: string
  portal: { url: string; email: string; password: string }
  /** By service: what Prometheus would read. */
  metrics: Record<string, string>
  /** By program; written anew when one is started again. */
  pids: Record<string, number>
}

export function writeReady(run: RunFolder, ready: Ready): void {
  writePrivately(run.ready, `${JSON.stringify(ready, null, 2)}\n`)
}
