import { LRUCache } from 'lru-cache'

/** What one address or token may still do. Times are whole seconds, rounded up. */
export type Allowance = {
  allowed: boolean
  remaining: number
  fullInSeconds: number
  retryAfterSeconds: number
}

export type RateLimit = {
  /** Takes one request from the bucket of `key`. */
  take(key: string): Allowance
  /** What `take` would answer, taking nothing. */
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
 * Token buckets in memory, one a key: `burst` at once after a rest, `perSecond` kept up. Each process counts for
 * itself. rate-limiter-flexible has fixed windows only, which let twice the quota through at their edge.
 */
export function createRateLimit(
  { perSecond, burst }: { perSecond: number; burst: number },
  now: () => number = Date.now,
): RateLimit {
  // The bucket longest at rest makes room: it is the fullest.
  const buckets = new LRUCache<string, { tokens: number; at: number }>({ max: MAX_BUCKETS })
  const look = (key: string) => {
    const bucket = buckets.peek(key)
    return bucket ? Math.min(burst, bucket.tokens + ((now() - bucket.at) / 1000) * perSecond) : burst
  }
  const describe = (tokens: number, allowed: boolean): Allowance => ({
    allowed,
    remaining: Math.floor(tokens),
    fullInSeconds: Math.ceil((burst - tokens) / perSecond),
    retryAfterSeconds: Math.max(1, Math.ceil((1 - tokens) / perSecond)),
  })
  const take = (key: string) => {
    const tokens = look(key)
    const allowed = tokens >= 1
    const left = allowed ? tokens - 1 : tokens
    buckets.set(key, { tokens: left, at: now() })
    return describe(left, allowed)
  }
  return {
    take,
    look: (key) => describe(look(key), look(key) >= 1),
    giveBack: (key) => void buckets.set(key, { tokens: Math.min(burst, look(key) + 1), at: now() }),
    fill: (key) => void buckets.delete(key),
    policy: { quota: burst, windowSeconds: Math.max(1, Math.round(burst / perSecond)) },
  }
}
