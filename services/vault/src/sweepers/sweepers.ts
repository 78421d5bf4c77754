import { forgetMarks } from '@cofre/platform/idempotency/mark'
import { repeat, type Loop } from '@cofre/platform/service/lifecycle'
import type { Pool } from '@cofre/platform/postgres/postgres'
import { observeEach } from '@cofre/platform/telemetry/metrics'
import { firstExpiries } from '../accounts/account-store'
import { forgetUnusedCards } from '../cards/network-token-store'
import type { Deps } from '../deps'
import { destroyRetiredKeys } from '../keys/key-store'
import { HONOURED_MINUTES } from '../rpc/rotate-encryption-key'

/** How soon another replica's rotation is known here; KEPT_MINUTES of rotate-data-key.ts is far longer. */
const RELOAD_KEYS_MS = 60_000
const FORGET_KEYS_MS = 600_000
const FORGET_REQUESTS_MS = 3_600_000
const FORGET_CARDS_MS = 300_000

/** Starts the background loops; any number of replicas may run each at once. */
export function startSweepers({ pool, keys, log }: Deps): Loop[] {
  observeCertificates(pool)
  const failed = (what: string) => (err: unknown) => log.error({ err }, `${what} failed`)
  return [
    repeat(() => keys.reload().then(() => 0), RELOAD_KEYS_MS, failed('reloading keys')),
    repeat(
      () => destroyRetiredKeys(pool, 'jwe', HONOURED_MINUTES),
      FORGET_KEYS_MS,
      failed('destroying encryption keys'),
    ),
    repeat(() => forgetMarks(pool), FORGET_REQUESTS_MS, failed('forgetting requests')),
    repeat(() => forgetUnusedCards(pool), FORGET_CARDS_MS, failed('destroying unused cards')),
  ]
}

function observeCertificates(pool: Pool): void {
  const description =
    'When the first client certificate of a partner’s accounts expires, in seconds since 1970.'
  observeEach('partner_certificate_expires_at_seconds', description, async () => {
    const expiries = await firstExpiries(pool)
    return expiries.map(({ partner, expiresAt }) => ({ value: expiresAt, attributes: { partner } }))
  })
}
