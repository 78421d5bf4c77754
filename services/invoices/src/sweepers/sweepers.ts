import { forgetMarks } from '@cofre/platform/idempotency/mark'
import { repeat, type Loop } from '@cofre/platform/service/lifecycle'
import type { Deps } from '../deps'

const FORGET_EVERY_MS = 600_000

/** Starts what runs without being called, each in any number of replicas at once. */
export function startSweepers({ pool, log }: Deps): Loop[] {
  const failed = (what: string) => (err: unknown) => log.error({ err }, `${what} failed`)
  return [repeat(() => forgetMarks(pool), FORGET_EVERY_MS, failed('forgetting'))]
}
