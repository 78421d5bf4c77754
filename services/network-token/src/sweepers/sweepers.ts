import type { EventLog } from '@cofre/platform/event-log'
import { forgetRequests } from '@cofre/platform/idempotency'
import { repeat, type Loop } from '@cofre/platform/lifecycle'
import { relayOutbox } from '@cofre/platform/outbox'
import type { Deps } from '../deps'

const RELAY_EVERY_MS = 50
const FORGET_EVERY_MS = 600_000

/** Starts what runs without being called beside the settler, each in any number of replicas at once. */
export function startSweepers({ pool, log }: Deps, eventLog: EventLog): Loop[] {
  const failed = (what: string) => (err: unknown) => log.error({ err }, `${what} failed`)
  return [
    repeat(() => relayOutbox(pool, eventLog), RELAY_EVERY_MS, failed('relay')),
    repeat(() => forgetRequests(pool), FORGET_EVERY_MS, failed('forgetting')),
  ]
}
