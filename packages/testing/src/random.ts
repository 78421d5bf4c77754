import { randomInt } from 'node:crypto'

/** The seed in CI: no change is refused by chance. */
const SEED_IN_CI = 7
/** All who are given a seed take nine digits. */
const SEED_LIMIT = 1_000_000_000

/**
 * The seed of all that this run draws: TEST_SEED. Without it, always the same in CI, elsewhere a new one, which the
 * programs of this run share.
 */
export function testSeed(): number {
  const seed = (process.env['TEST_SEED'] ??= String(process.env['CI'] ? SEED_IN_CI : randomInt(SEED_LIMIT)))
  if (!/^\d{1,9}$/.test(seed)) throw new Error('TEST_SEED must be a whole number of at most nine digits')
  return Number(seed)
}

/** Said once, at the start of a run. */
export function seedLine(): string {
  return `TEST_SEED=${testSeed()} repeats what this run draws\n`
}

/** What this run draws under a name. */
export function drawn(name: string): Random {
  return seeded(`${name} ${testSeed()}`)
}

/** Numbers that look random and are the same for the same seed. */
export type Random = {
  /** From `min` to `max`, both included. */
  int(min: number, max: number): number
  chance(probability: number): boolean
  pick<T>(items: readonly T[]): T
  /** Another source, which does not disturb this one. */
  fork(name: string): Random
}

export function seeded(seed: string): Random {
  let state = hashOf(seed)
  // Mulberry32.
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const int = (min: number, max: number) => min + Math.floor(next() * (max - min + 1))
  return {
    int,
    chance: (probability) => next() < probability,
    pick: (items) => {
      const item = items[int(0, items.length - 1)]
      if (item === undefined) throw new Error('nothing to pick from')
      return item
    },
    fork: (name) => seeded(`${seed}/${name}`),
  }
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (const letter of text) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193)
  return hash
}
