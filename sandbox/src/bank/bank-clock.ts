const ASKED_FOR_MS = 2_000

/**
 * The bank's time, epoch milliseconds. A test may move the clock by which the seller bills. The bank then asks for it,
 * so that a payer who pays "now" pays on the day that the test has reached. Without an answer it is the machine's time.
 */
export async function bankTime(billingClockUrl: string | undefined): Promise<number> {
  if (billingClockUrl === undefined) return Date.now()
  try {
    const answer = await fetch(billingClockUrl, { signal: AbortSignal.timeout(ASKED_FOR_MS) })
    const { now } = (await answer.json()) as { now?: unknown }
    return typeof now === 'number' ? now : Date.now()
  } catch {
    return Date.now()
  }
}
