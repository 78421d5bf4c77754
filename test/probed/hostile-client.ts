import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** What the hostile client was answered: by attack and status, how often. */
export type Harvest = Record<string, Record<string, number>>
export type HostileClient = { harvest(): Harvest; stop(): Promise<void> }

/**
 * Attacks the gateway from one address, with no token, until it is stopped. `kid`: of the key that signs tokens. `timesSlower`: than
 * with 100 connections and 250 requests a second.
 */
export function attack(baseUrl: string, kid: string, timesSlower: number): HostileClient {
  const child = fork(join(__dirname, 'attacks.mjs'), [baseUrl, kid, String(timesSlower)], { execArgv: [] })
  let harvest: Harvest = {}
  child.on('message', (told: Harvest) => (harvest = told))
  const exited = once(child, 'exit')
  const stop = async () => {
    if (child.connected) child.disconnect()
    await exited
  }
  return { harvest: () => structuredClone(harvest), stop }
}
