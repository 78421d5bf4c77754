import type { Pool, PoolClient } from '@cofre/platform/postgres/postgres'
import type { Acquirer } from '../../src/acquirer/acquirer'
import type { Kill } from './story'

export type Doom = ReturnType<typeof newDoom>

/** Counts the steps of one piece of work. From the step at which it is killed, it has no effect any more. */
export function newDoom(kill: Kill | null) {
  const running = new Set<Promise<unknown>>()
  let left = kill?.step ?? Infinity
  let struck = false
  const touches = (what: 'statement' | 'call') => what === 'statement' || kill?.of === 'process'
  const run = async <T>(work: () => Promise<T>): Promise<T> => {
    if (struck) throw cut()
    const isLast = left-- === 0
    if (isLast && kill?.when === 'before') struck = true
    if (struck) throw cut()
    const [result] = await Promise.allSettled([work()])
    if (isLast) struck = true
    // A dead process does not get the result.
    if (struck) throw cut()
    if (result.status === 'rejected') throw result.reason
    return result.value
  }
  return {
    step: <T>(what: 'statement' | 'call', work: () => Promise<T>): Promise<T> => {
      const made = touches(what) ? run(work) : work()
      const ended = Promise.allSettled([made])
      running.add(ended)
      void ended.then(() => running.delete(ended))
      return made
    },
    /** True when the process ended: nobody received its answer. */
    killed: () => struck && kill?.of === 'process',
    struck: () => struck,
    idle: () => Promise.all(running),
  }
}

/** The error that `pg` throws. */
function cut(): Error {
  return new Error('Connection terminated unexpectedly')
}

/** Makes every statement of a pool a step of the current doom. */
export function cutPool(pool: Pool, doom: () => Doom): void {
  const query = pool.query.bind(pool) as (...args: unknown[]) => Promise<unknown>
  const connect = pool.connect.bind(pool)
  pool.query = ((...args: unknown[]) => doom().step('statement', () => query(...args))) as Pool['query']
  pool.connect = ((callback?: Parameters<typeof connect>[0]) =>
    callback ? connect(callback) : connect().then((client) => cutClient(client, doom()))) as Pool['connect']
}

/** Cuts a client for one transaction. Its release restores it. */
function cutClient(client: PoolClient, doom: Doom): PoolClient {
  const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>
  const release = client.release.bind(client)
  client.query = ((...args: unknown[]) => doom.step('statement', () => query(...args))) as PoolClient['query']
  client.release = (broken) => {
    Reflect.deleteProperty(client, 'query')
    release(broken)
  }
  return client
}

/** Makes every call to the acquirer a step of the current doom. */
export function cutAcquirer(acquirer: Acquirer, doom: () => Doom): Acquirer {
  return {
    capabilities: acquirer.capabilities,
    authorize: (...asked) => doom().step('call', () => acquirer.authorize(...asked)),
    verify: (...asked) => doom().step('call', () => acquirer.verify(...asked)),
    capture: (...asked) => doom().step('call', () => acquirer.capture(...asked)),
    void: (...asked) => doom().step('call', () => acquirer.void(...asked)),
    find: (...asked) => doom().step('call', () => acquirer.find(...asked)),
  }
}
