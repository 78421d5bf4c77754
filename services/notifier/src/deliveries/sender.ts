/** One POST to a receiver. */
export type Message = {
  url: string
  headers: Record<string, string>
  body: string
  /** Milliseconds, where the receiver gets less time than usual. */
  timeoutMs?: number
}

/**
 * The receiver's status with the beginning of its answer, or why there is none: `refused_address` (not called),
 * `timeout`, or the code of the network's or TLS's error.
 */
export type Outcome = { status: number; retryAfterSeconds?: number; response?: string } | { error: string }

/** Posts messages to addresses that sellers gave. Never throws; follows no redirect. */
export type Sender = { send(message: Message): Promise<Outcome> }
