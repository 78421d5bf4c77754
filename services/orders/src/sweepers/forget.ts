import { forgetMarks } from '@cofre/platform/idempotency/mark'
import { forgetHandled } from '@cofre/platform/events/inbox'
import type { Pool } from '@cofre/platform/postgres/postgres'

/** Forgets Idempotency-Keys and handled events past their time. Returns how many. */
export async function forget(pool: Pool): Promise<number> {
  return (await forgetMarks(pool)) + (await forgetHandled(pool))
}
