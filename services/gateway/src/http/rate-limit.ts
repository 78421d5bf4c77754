/** The remaining requests of an address or token. Times are whole seconds, rounded up. */
export type Allowance = {
  allowed: boolean
  remaining: number
  fullInSeconds: number
  retryAfterSeconds: number
}

export type RateLimit = {
  /** Takes one request from the bucket of `key`. */
  take(key: string): Allowance
  /** Takes one more for a request that `take` let in, even from an empty bucket: the next requests wait for it. */
  spend(key: string): void
  /** Returns the answer of `take`, but takes nothing. */
  look(key: string): Allowance
  /** Undoes one `take`. */
  giveBack(key: string): void
  /** Fills the bucket of `key`. */
  fill(key: string): void
  /** For the header RateLimit-Policy: quota and window of the bucket. */
  policy: { quota: number; windowSeconds: number }
}

const MAX_BUCKETS = 50_000

/**
 * Token buckets in memory, one for each key: `burst` at once after a rest, then `perSecond`. Each process counts by
 * itself. rate-limiter-flexible has only fixed windows, which let twice the quota through at their edge. An LRU cache
 * allocates 2 MB for its places while it is still empty.
 */
export function createRateLimit(
  { perSecond, burst }: { perSecond: number; burst: number },
  now: () => number = Date.now,
): RateLimit {
  // In order of last use.
  const buckets = new Map<string, { tokens: number; at: number }>()
  const keep = (key: string, tokens: number) => {
    buckets.delete(key)
    buckets.set(key, { tokens, at: now() })
    // The bucket with the longest rest makes room: it is the fullest.
    if (buckets.size > MAX_BUCKETS) buckets.delete(buckets.keys().next().value as string)
  }
  const look = (key: string) => {
    const bucket = buckets.get(key)
    return bucket ? Math.min(burst, bucket.tokens + ((now() - bucket.at) / 1000) * perSecond) : burst
  }
  const describe = (tokens: number, allowed: boolean): Allowance => ({
    allowed,
    remaining: Math.max(0, Math.floor(tokens)),
    fullInSeconds: Math.ceil((burst - tokens) / perSecond),
    retryAfterSeconds: Math.max(1, Math.ceil((1 - tokens) / perSecond)),
  })
  const take = (key: string) => {
    const tokens = look(key)
    const allowed = tokens >= 1
    const left = allowed ? tokens - 1 : tokens
    keep(key, left)
    return describe(left, allowed)
  }
  return {
    take,
    spend: (key) => keep(key, look(key) - 1),
    look: (key) => describe(look(key), look(key) >= 1),
    giveBack: (key) => keep(key, Math.min(burst, look(key) + 1)),
    fill: (key) => void buckets.delete(key),
    policy: { quota: burst, windowSeconds: Math.max(1, Math.round(burst / perSecond)) },
  }
}
