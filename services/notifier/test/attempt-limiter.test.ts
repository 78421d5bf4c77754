import { openLimiter, type Asker, type Ending } from '../src/receivers/attempt-limiter'

const SIZE = 256
let at: number
let limiter: ReturnType<typeof openLimiter>
beforeEach(() => {
  at = 0
  limiter = openLimiter(SIZE, () => at)
})

const asker = (sellerId: number, host = 'shop.example'): Asker => ({ sellerId, host })
const offerTo = (each: Asker) => limiter.offer([each])[0] ?? { attempts: 0, retries: 0 }
const end = (each: Asker, isRetry: boolean, ending: Ending) => {
  limiter.leave(each, ending)
  limiter.end(each, isRetry)
}
/** Begins as many attempts as may begin, again and again. Returns how many. */
function fill(each: Asker, isRetry = false): number {
  let begun = 0
  for (;;) {
    const { attempts, retries } = offerTo(each)
    const more = isRetry ? retries : attempts
    if (more === 0) return begun
    for (let time = 0; time < more; time++) limiter.begin(each, isRetry)
    begun += more
  }
}

test('a seller with countless receivers leaves slots for others, and so do they', () => {
  const fillAll = (sellerId: number) =>
    Array.from({ length: 1_000 }, (_, host) => fill(asker(sellerId, `host ${host}`))).reduce(
      (sum, each) => sum + each,
      0,
    )
  const taken = [1, 2, 3, 4].map(fillAll)
  expect(taken[0]).toBeGreaterThan(SIZE / 3)
  for (const each of taken) expect(each).toBeGreaterThan(SIZE / 32)
  expect(offerTo(asker(5)).attempts).toBeGreaterThan(0)
})

test('the offers to many receivers in one look leave slots too', () => {
  const offers = limiter.offer(Array.from({ length: 1_000 }, (_, host) => asker(1, `host ${host}`)))
  const all = offers.reduce((sum, { attempts }) => sum + attempts, 0)
  expect(all).toBeGreaterThan(SIZE / 3)
  expect(all).toBeLessThan(SIZE * 0.6)
})

test('a host has a few slots at first, for each seller by itself', () => {
  expect(fill(asker(1))).toBe(8)
  expect(fill(asker(2))).toBe(8)
})

test('slots grow while a receiver answers and uses them all, but not if it needs few', () => {
  const [busy, idle] = [asker(1, 'busy'), asker(1, 'idle')]
  fill(busy)
  limiter.begin(idle, false)
  for (let time = 0; time < 100; time++) {
    for (const each of [busy, idle]) {
      end(each, false, 'answered')
      limiter.begin(each, false)
    }
    fill(busy)
  }
  for (let time = 0; time < 64; time++) end(busy, false, 'answered')
  end(idle, false, 'answered')
  expect([fill(busy), fill(idle)]).toEqual([64, 8])
})

test('retries leave slots for first attempts', () => {
  for (let seller = 1; seller <= 1_000; seller++) fill(asker(seller), true)
  expect(offerTo(asker(0)).retries).toBe(0)
  expect(fill(asker(0))).toBe(8)
})

test('after a timeout a receiver gets one short attempt at a time, for a minute or until it answers', () => {
  const each = asker(1)
  fill(each)
  end(each, false, 'timed out')
  for (let time = 0; time < 7; time++) end(each, false, 'failed')
  expect(limiter.isDistrusted(each)).toBe(true)
  expect(fill(each)).toBe(1)
  at += 59_999
  end(each, true, 'timed out early')
  expect(limiter.isDistrusted(each)).toBe(true)
  at += 1
  expect(limiter.isDistrusted(each)).toBe(false)
  expect(fill(each)).toBe(4)
  end(each, false, 'timed out')
  end(each, false, 'answered')
  expect(limiter.isDistrusted(each)).toBe(false)
})

test('a limiter of one lets one in', () => {
  limiter = openLimiter(1, () => at)
  expect(fill(asker(1))).toBe(1)
  expect(offerTo(asker(2))).toEqual({ attempts: 0, retries: 0 })
  end(asker(1), false, 'answered')
  expect(fill(asker(2), true)).toBe(1)
})

test('an ended attempt frees its receiver before the verdict is written, and its place in the process after', () => {
  fill(asker(1))
  expect(offerTo(asker(1)).attempts).toBe(0)
  limiter.leave(asker(1), 'failed')
  expect(offerTo(asker(1)).attempts).toBe(1)
  const small = openLimiter(1, () => at)
  small.begin(asker(1), false)
  small.leave(asker(1), 'answered')
  expect(small.isFull()).toBe(true)
  expect(small.offer([asker(2)])[0]).toEqual({ attempts: 0, retries: 0 })
  small.end(asker(1), false)
  expect(small.isFull()).toBe(false)
})

test('a receiver is prompt after an answer at once, until an attempt ends otherwise', () => {
  const each = asker(1)
  const ended = (ending: Ending) => {
    limiter.begin(each, false)
    end(each, false, ending)
    return limiter.isPrompt(each)
  }
  expect(limiter.isPrompt(each)).toBe(false)
  expect(ended('answered promptly')).toBe(true)
  expect(ended('not made')).toBe(true)
  for (const ending of ['answered', 'failed', 'timed out early', 'timed out'] as const) {
    expect(ended('answered promptly')).toBe(true)
    expect(ended(ending)).toBe(false)
  }
})

test('a receiver is half free while fewer than half of its slots are in use', () => {
  const each = asker(1)
  for (let begun = 0; begun < 4; begun++) {
    expect(limiter.isHalfFree(each)).toBe(true)
    limiter.begin(each, false)
  }
  expect(limiter.isHalfFree(each)).toBe(false)
})
