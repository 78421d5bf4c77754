import type { Figures } from './figures'
import type { StatementCost } from './statements'

/** One path, asked by so many clients at once. */
export type PathResult = {
  path: string
  clients: number
  figures: Figures
  /** SQL statements of all services for one request, with what it sets going; those that run anyway are taken off. */
  statements?: StatementCost[]
  requests: number
  failures: number
}

/** All that one run on one version of Node showed. */
export type Result = {
  node: string
  /** Authorize, a voucher payment, the ceiling, the bare path and the acquirer alone, measured in turns. */
  authorize: PathResult[]
  voucherPayment: PathResult[]
  ceiling: PathResult[]
  barePath: PathResult[]
  partner: PathResult
  paths: PathResult[]
  /** Milliseconds from the event to its first delivery. */
  delivery: { count: number; p50: number; p99: number }
  startSeconds: number
  /** The share of the machine that programs outside the bench took in the rounds that count. */
  others: number
  /** MiB by process, when nothing is asked. */
  idleMemory: Record<string, number>
  /** What failed at first, when anything failed. */
  firstFailure: string | null
}

export type Plan = {
  charges: number
  rounds: number
  seconds: number
  /** How often at most a round is measured because other programs took the machine. */
  attempts: number
  /** Requests before the first round, to the system and to the ceiling: V8 compiles what runs often. */
  warmUpRequests: number
  idleSeconds: number
  deliveries: number
  /** Where each program of the system writes its CPU profile; nothing when absent. */
  profileDir?: string
}
