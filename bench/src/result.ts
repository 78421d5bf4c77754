import type { Figures } from './figures'
import type { StatementCost } from './statements'

/** One path, requested by `clients` at once. */
export type PathResult = {
  path: string
  clients: number
  figures: Figures
  /** SQL statements of all services per request, with the work that it causes, less those that always run. */
  statements?: StatementCost[]
  requests: number
  failures: number
}

/** Milliseconds from an event to its first delivery. */
export type Delivery = { count: number; p50: number; p99: number }

/** The results of one run on one version of Node. */
export type Result = {
  node: string
  /** Authorize, a voucher payment, the ceiling, the bare path and the acquirer alone, measured in turns. */
  authorize: PathResult[]
  voucherPayment: PathResult[]
  ceiling: PathResult[]
  barePath: PathResult[]
  partner: PathResult
  paths: PathResult[]
  /** Charges one after another, alone and while 16 clients authorize. */
  delivery: Delivery
  busyDelivery: Delivery
  startSeconds: number
  /** The share of the machine that programs outside the bench used in the rounds that count. */
  others: number
  /** MiB by process, without requests. */
  idleMemory: Record<string, number>
  /** The first failed request, when there is one. */
  firstFailure: string | null
}

export type Plan = {
  charges: number
  rounds: number
  seconds: number
  /** The most times that a round is measured when other programs use the machine. */
  attempts: number
  /** Requests before the first round, to the system and to the ceiling: V8 compiles code that runs often. */
  warmUpRequests: number
  idleSeconds: number
  deliveries: number
  /** The most calls of one client in a round of each path beside authorize; of sixteen four times as many. */
  calls: number
  /** The folder for the CPU profile of each program; without it, there are none. */
  profileDir?: string
}
