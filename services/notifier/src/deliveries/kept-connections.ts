import type { Client } from 'undici'

/** How long a connection rests before it is closed. A receiver may close it sooner, and may say so in `Keep-Alive`. */
export const RESTS_MS = 4_000
const RESTING_MAX = 1_000

export type KeptConnections = {
  /** The connection that has rested for the shortest time, if any rests. */
  take(key: string): Client | undefined
  /** Lets a connection rest whose last answer was read to its end; closes it when too many rest. */
  keep(key: string, client: Client): void
  /** Forgets a connection that was closed. */
  forget(key: string, client: Client): void
}

/** Connections that rest between two messages to one receiver. `key`: the origin and addresses that they share. */
export function openKeptConnections(): KeptConnections {
  const resting = new Map<string, Client[]>()
  let count = 0
  const removed = (key: string, clients: Client[]) => {
    count -= 1
    if (clients.length === 0) resting.delete(key)
  }
  return {
    take: (key) => {
      const clients = resting.get(key)
      const client = clients?.pop()
      if (clients && client) removed(key, clients)
      return client
    },
    keep: (key, client) => {
      if (!client.stats.connected || count >= RESTING_MAX) {
        void client.destroy()
        return
      }
      const clients = resting.get(key) ?? []
      clients.push(client)
      resting.set(key, clients)
      count += 1
    },
    forget: (key, client) => {
      const clients = resting.get(key) ?? []
      const at = clients.indexOf(client)
      if (at < 0) return
      clients.splice(at, 1)
      removed(key, clients)
      void client.destroy()
    },
  }
}
