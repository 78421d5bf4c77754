import { testSeed } from '@cofre/testing/random'
import { array, assert, asyncProperty, type Arbitrary } from 'fast-check'
import { discard, startSystem, type System } from '../journeys/system'
import { checkPlay } from './check'
import { ACQUIRER_TIMEOUT_MS } from './outside'
import type { Turn } from './play'
import { playStory } from './steps'
import { stories, type Story } from './story'

/** The rounds of each kind; TEST_SEED and RACED_PATH, as a failure prints them, repeat one round. */
const RUNS = Number(process.env.RACED_RUNS ?? 4)
const PATH = process.env.RACED_PATH
/** Charges that are played side by side in a round. */
const AT_ONCE = 6
const ROUND_MS = 100_000

/** Waits shorter than in production, so that a story with lost answers is over within seconds. */
const QUICK = {
  ACQUIRER_TIMEOUT_MS: String(ACQUIRER_TIMEOUT_MS),
  ABSENCE_GRACE_MS: '300',
  RESOLVE_FIRST_MS: '100',
  RESOLVE_MAX_MS: '500',
}

let system: System
beforeAll(async () => {
  system = await startSystem(undefined, {
    adapt: (name, settings) => (name === 'orders' ? { ...settings, ...QUICK } : settings),
  })
})
afterAll(async () => {
  await discard(system)
})

test(
  'a model of the money allows every answer, and agrees with the acquirer to the cent',
  async () => {
    await playRounds('charges', stories(false), (work) => work())
  },
  limitMs(),
)

test(
  'the model also holds when the acquirer is not reached, fails, or does not answer',
  async () => {
    await playRounds('charges with faults', stories(true), oneAtATime())
  },
  limitMs(),
)

async function playRounds(what: string, story: Arbitrary<Story>, turn: Turn): Promise<void> {
  let played = 0
  const round = asyncProperty(
    array(story, { minLength: 1, maxLength: AT_ONCE, size: 'max' }),
    async (side) => {
      const plays = await Promise.allSettled(
        side.map(async (one) => checkPlay(await playStory(system, one, turn))),
      )
      for (const play of plays) if (play.status === 'rejected') throw play.reason
      played += side.length
      if (process.env.RACED_RUNS) process.stderr.write(`${played} ${what} played, seed ${testSeed()}\n`)
    },
  )
  await assert(round, {
    numRuns: RUNS,
    ...(PATH === undefined ? {} : { path: PATH }),
    // Shrinking a failing case takes longer than finding it.
    endOnFailure: process.env.RACED_RUNS === undefined,
  })
}

/** A fault meets the next request, so requests go one by one; only waits run side by side. */
function oneAtATime(): Turn {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const next = last.then(work)
    last = next.catch(() => {})
    return next
  }
}

function limitMs(): number {
  return (RUNS + 2) * ROUND_MS
}
