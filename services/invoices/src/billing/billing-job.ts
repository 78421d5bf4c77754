/** `seen`: what a job took in hand; `done`: of that, what was billed, charged or told. */
export type Ran = { seen: number; done: number }

/** What bills, charges or tells at its time, without being called, in any number of replicas at once. */
export type BillingJob = {
  name: string
  /**
   * Does a bounded part of what is due at a moment (epoch milliseconds). Nothing seen: nothing is left that this caller
   * could do.
   */
  run(at: number): Promise<Ran>
  /** When something is next due, epoch milliseconds, perhaps past; undefined: nothing comes. */
  nextDueAt(): Promise<number | undefined>
}
