import { giveDatabases } from '../journeys/made-databases'
import { forget, newRunDir } from '../journeys/system'
import { HASTY, startDoomedSystem, type DoomedSystem } from './doomed-system'
import type { Target } from './points'
import { drawn, testSeed } from '@cofre/testing/random'
import { killRun } from './run'

// The long form, over all moments: npm run test:kill.
const TARGETS: Target[] = [
  { what: 'sale', when: 'done', victim: 'orders' },
  { what: 'voucher payment', when: 'done', victim: 'vouchers' },
  { what: 'outcome saved', when: 'before', victim: 'postgres' },
  { what: 'events published', when: 'done', victim: 'orders' },
  { what: 'code exchange', when: 'done', victim: 'vault' },
  { what: 'delivery made', when: 'before', victim: 'notifier' },
  { what: 'charge made', when: 'told', victim: 'gateway' },
  { what: 'token request', when: 'done', victim: 'network-token' },
  { what: 'invoice changed', when: 'done', victim: 'invoices' },
  { what: 'card payment begun', when: 'done', victim: 'invoices' },
  { what: 'cryptogram', when: 'done', victim: 'vault' },
]
const KILLING_MS = 18_000

let system: DoomedSystem
beforeAll(async () => {
  const runDir = newRunDir()
  await giveDatabases(runDir)
  system = await startDoomedSystem(drawn('short'), HASTY, { runDir })
})
afterAll(async () => {
  await system.stop()
  forget(system.runDir)
})

test('programs killed in the middle of their work leave every charge, voucher, invoice, answer and notification whole', async () => {
  const seed = testSeed()
  const result = await killRun(system, {
    seed,
    targets: TARGETS,
    clients: 3,
    until: Date.now() + KILLING_MS,
  })
  expect({ seed, breaches: result.breaches }).toEqual({ seed, breaches: [] })
  expect(result.killed.length).toBeGreaterThan(0)
})
