import { testSeed } from '@cofre/testing/random'
import { assert, asyncProperty } from 'fast-check'
import { findings } from './check'
import { playStory } from './play'
import { startScene, type Scene } from './scene'
import { stories } from './story'

/** MONEY_PATH and its seed as TEST_SEED, as a failure prints them, play one story again. */
const CASES = Number(process.env['MONEY_CASES'] ?? 60)
const SEED = testSeed()
const PATH = process.env['MONEY_PATH']
/** A scene plays its stories one after another, so that each story is the same in every run. */
const SCENES = PATH === undefined ? 3 : 1
const CASE_MS = 10_000
const TOLD_EVERY = 500

let scenes: Scene[]
beforeAll(async () => {
  scenes = await Promise.all(Array.from({ length: SCENES }, startScene))
})
afterAll(() => Promise.all(scenes.map((scene) => scene.stop())))

test(
  'after any faults, repeats and crashes, the books and the answers to the client agree an hour later',
  async () => {
    let played = 0
    const tell = () => process.stderr.write(`${played} stories played, seed ${SEED}\n`)
    const playIn = (scene: Scene, nth: number) =>
      assert(
        asyncProperty(stories, async (story) => {
          const found = await findings(await playStory(scene, story))
          if (found.length > 0) throw new Error([...new Set(found)].join('\n'))
          played += 1
          if (played % TOLD_EVERY === 0) tell()
        }),
        {
          seed: SEED + nth,
          numRuns: Math.ceil(CASES / SCENES),
          ...(PATH === undefined ? {} : { path: PATH }),
          // Shrinking a failing story takes longer than finding it.
          endOnFailure: process.env['MONEY_CASES'] === undefined && PATH === undefined,
        },
      )
    const ended = await Promise.allSettled(scenes.map(playIn))
    if (process.env['MONEY_CASES']) tell()
    for (const each of ended) if (each.status === 'rejected') throw each.reason
  },
  60_000 + CASES * CASE_MS,
)
