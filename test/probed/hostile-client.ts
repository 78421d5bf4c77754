import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** How often the hostile client got each answer, by attack and status. */
export type Harvest = Record<string, Record<string, number>>
export type HostileClient = { harvest(): Harvest; stop(): Promise<void> }

/**
 * Attacks the gateway from one address, without a token, until stopped. `kid`: the id of the key that signs tokens.
 * `timesSlower`: divides the rate of 100 connections and 250 requests a second.
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
