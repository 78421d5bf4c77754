import { DomainError } from '@cofre/platform/errors'
import { callRpc } from '@cofre/platform/grpc/client'
import { newCall, runCall } from '@cofre/platform/grpc/call-context'
import { repeat, type Loop } from '@cofre/platform/service/lifecycle'
import { EndpointDisablingReason } from '@cofre/proto/invoices/v1/user_letters'
import { DisablingReason, type Disabling } from '@cofre/proto/notifier/v1/notifier'
import type { Deps } from '../deps'
import { pagesOfUsers, type PortalUser } from './portal-user-store'

const EVERY_MS = 5_000
const TIMEOUT_MS = 20_000

type TellDeps = Pick<Deps, 'pool' | 'log'> & {
  services: Pick<Deps['services'], 'notifier' | 'userLetters'>
  config: Pick<Deps['config'], 'userLanguage'>
}

/**
 * Has e-mails sent to the users of sellers whose endpoints were disabled. The notifier knows the disabled endpoints,
 * the gateway knows the users, and invoices has the mail server. Any number of replicas may run.
 */
export function startTellingDisabled(deps: TellDeps, everyMs = EVERY_MS): Loop {
  return repeat(
    () => tellDisabled(deps),
    everyMs,
    (err) => deps.log.warn({ err }, 'telling of disabled endpoints will try again'),
  )
}

/** Does one turn; returns 0. The notifier hands out a disabling again after a minute, unless it was acknowledged. */
async function tellDisabled(deps: TellDeps): Promise<number> {
  const { notifier } = deps.services
  const { disablings } = await within(() => callRpc(notifier, notifier.takeDisablings, {}))
  for (const disabling of disablings) {
    try {
      await within(() => tell(deps, disabling))
      await within(() => callRpc(notifier, notifier.acknowledgeDisabling, { id: disabling.id }))
    } catch (err) {
      const { sellerId, endpointId } = disabling
      deps.log.warn({ err, sellerId, endpointId }, 'telling of a disabled endpoint will try again')
    }
  }
  return 0
}

/** Notifies every user of the seller, as many at once as a list of users has. */
async function tell(deps: TellDeps, disabling: Disabling): Promise<void> {
  const { sellerId, endpointId } = disabling
  try {
    for await (const users of pagesOfUsers(deps.pool, sellerId)) await write(deps, disabling, users)
  } catch (error) {
    if (!(error instanceof DomainError && error.reason === 'EMAIL_NOT_SET_UP')) throw error
    deps.log.info(
      { sellerId, endpointId },
      'nobody is notified of a disabled endpoint: there is no mail server',
    )
  }
}

async function write(
  { services: { userLetters }, config }: TellDeps,
  { id, sellerId, endpointId, url, reason, disabledAt }: Disabling,
  users: readonly PortalUser[],
): Promise<void> {
  await callRpc(userLetters, userLetters.tellOfDisabledEndpoint, {
    sellerId,
    // A repeat has the same cause: invoices sends one e-mail to an address.
    cause: `disabled ${id}`,
    recipients: users.map(({ email }) => email),
    language: config.userLanguage,
    endpointId,
    url,
    reason: reason === DisablingReason.GONE ? EndpointDisablingReason.GONE : EndpointDisablingReason.FAILING,
    disabledAt,
  })
}

function within<Result>(work: () => Promise<Result>): Promise<Result> {
  return runCall(newCall({ timeoutMs: TIMEOUT_MS }), work)
}
