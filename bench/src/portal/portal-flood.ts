import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { percentile } from '../figures'
import { drive, type Ask, type Round } from '../load'
import type { MeasuredSystem } from '../measured-system'
import { authorizeAsk, listAsk, tokenizeAsk } from '../paths'
import { rest } from '../rest'
import type { FloodAsk, Flooded } from './flood-program'
import type { PortalSession } from './portal-session'

const SOCKETS = 50
const ROUNDS = 3
const ROUND_SECONDS = 10
/** One client that charges and one that reads, below the limit of their token. */
const PER_SECOND = 40

/** Another seller's calls alone, and while one session of the portal asks on fifty sockets. */
export type Flood = { alone: Round; meanwhile: Round; pages: number; refused: number }

/** Measures by turns, so that a drift of the machine meets both. */
export async function measureFlood(
  system: MeasuredSystem,
  session: PortalSession,
  progress: (text: string) => void,
): Promise<Flood> {
  const { url } = system.target
  const target = { ...system.target, ...system.local.ready.secondSeller }
  const { body = '{}', ...sent } = tokenizeAsk(target, 1)
  const kept = await fetch(`${url}${sent.path}`, { ...sent, body })
  const { token: cardToken } = (await kept.json()) as { token: string }
  const asks: [number, Ask][] = [
    [201, authorizeAsk({ ...target, cardToken })],
    [200, listAsk(target)],
  ]
  const flood: Flood = { alone: none(), meanwhile: none(), pages: 0, refused: 0 }
  await others(url, asks)
  for (let round = 1; round <= ROUNDS; round++) {
    progress(`another seller alone, then beside ${SOCKETS} sockets: ${round} of ${ROUNDS}`)
    add(flood.alone, await others(url, asks))
    const flooding = startFlood({ url, ...session, sockets: SOCKETS, seconds: ROUND_SECONDS + 2 })
    await rest(1)
    add(flood.meanwhile, await others(url, asks))
    const { pages, refused } = await flooding
    flood.pages += pages
    flood.refused += refused
  }
  return flood
}

const none = (): Round => ({ seconds: 0, failures: 0, latenciesMs: [] })

function add(sum: Round, round: Round): void {
  sum.seconds += round.seconds
  sum.failures += round.failures
  if (round.firstFailure !== undefined) sum.firstFailure ??= round.firstFailure
  sum.latenciesMs.push(...round.latenciesMs)
}

/** Asks at a steady rate, as shops do: a slow answer makes no room for itself. */
async function others(url: string, asks: readonly [number, Ask][]): Promise<Round> {
  const until = performance.now() + ROUND_SECONDS * 1_000
  const sum = none()
  const askInTurn = async ([expect, ask]: readonly [number, Ask]) => {
    while (performance.now() < until) {
      const next = performance.now() + (asks.length / PER_SECOND) * 1_000
      let left = 1
      const round = await drive({
        url,
        clients: 1,
        seconds: 60,
        expect,
        next: () => (left-- > 0 ? ask : undefined),
      })
      add(sum, round)
      await rest(Math.max(0, next - performance.now()) / 1_000)
    }
  }
  await Promise.all(asks.map(askInTurn))
  return { ...sum, seconds: ROUND_SECONDS }
}

/** In a process of its own, so that it does not slow the clients that are measured. */
async function startFlood(ask: FloodAsk): Promise<Flooded> {
  const child = fork(join(__dirname, 'flood-program.js'))
  child.send(ask)
  const [flooded] = (await once(child, 'message')) as [Flooded]
  return flooded
}

export const ratioOf = ({ alone, meanwhile }: Flood) =>
  percentile(meanwhile.latenciesMs, 0.99) / percentile(alone.latenciesMs, 0.99)
