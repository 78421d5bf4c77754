/** `seen`: how many entries a job took; `done`: how many of them it billed, charged, reminded or reported. */
export type Ran = { seen: number; done: number }

/** A job that bills, charges or notifies at its time, without a caller, in any number of replicas at once. */
export type BillingJob = {
  name: string
  /**
   * Does a bounded part of the work that is due at a moment (epoch milliseconds). `seen` is 0 when nothing is left that
   * this caller could do.
   */
  run(at: number): Promise<Ran>
  /** When work is next due, epoch milliseconds, possibly in the past. Undefined when none is planned. */
  nextDueAt(): Promise<number | undefined>
}
