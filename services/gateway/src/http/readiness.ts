import { isServing } from '@cofre/platform/grpc/is-serving'
import { takesWrites } from '@cofre/platform/postgres/postgres'
import type { Deps } from '../deps'

/** Whether each dependency answers, by its name. */
export type Readiness = () => Promise<Record<string, 'UP' | 'DOWN'>>

/** Each dependency is asked at most once in this time. */
const KNOWN_FOR_MS = 1_000

/** Asks the database, and every service behind the routes whether it serves and reaches its own. All callers within a second get the same answer. */
export function createReadiness(deps: Pick<Deps, 'pool' | 'services'>): Readiness {
  let askedAt = -Infinity
  let known: ReturnType<Readiness>
  return () => {
    if (performance.now() - askedAt >= KNOWN_FOR_MS) {
      askedAt = performance.now()
      known = askDependencies(deps)
    }
    return known
  }
}

async function askDependencies({ pool, services }: Pick<Deps, 'pool' | 'services'>) {
  const database = takesWrites(pool).catch(() => false)
  const behind = Object.entries(services.idempotency).map(
    ([name, client]) => [name, isServing(client)] as const,
  )
  const answered = await Promise.all(
    [['database', database] as const, ...behind].map(
      async ([name, up]) => [name, (await up) ? 'UP' : 'DOWN'] as const,
    ),
  )
  return Object.fromEntries(answered)
}
