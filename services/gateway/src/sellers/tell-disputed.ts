import { callRpc } from '@cofre/platform/grpc/client'
import { newCall, runCall } from '@cofre/platform/grpc/call-context'
import { repeat, type Loop } from '@cofre/platform/service/lifecycle'
import type { DisputeNotice } from '@cofre/proto/invoices/v1/user_letters'
import type { Deps } from '../deps'
import { pagesOfUsers } from './portal-user-store'

const EVERY_MS = 5_000
const TIMEOUT_MS = 20_000

type TellDeps = Pick<Deps, 'pool' | 'log'> & {
  services: Pick<Deps['services'], 'userLetters'>
  config: Pick<Deps['config'], 'userLanguage'>
}

/**
 * Has e-mails sent to the users of sellers whose charges are disputed. Invoices knows the disputes and has the mail
 * server, the gateway knows the users. Any number of replicas may run.
 */
export function startTellingDisputed(deps: TellDeps, everyMs = EVERY_MS): Loop {
  return repeat(
    () => tellDisputed(deps),
    everyMs,
    (err) => deps.log.warn({ err }, 'telling of disputes will try again'),
  )
}

/** Does one turn; returns 0. Invoices hands out a notice again after a minute, unless it is over. */
async function tellDisputed(deps: TellDeps): Promise<number> {
  const { userLetters } = deps.services
  const { notices } = await within(() => callRpc(userLetters, userLetters.takeDisputeNotices, {}))
  for (const notice of notices) {
    try {
      await within(() => tell(deps, notice))
    } catch (err) {
      deps.log.warn({ err, ...notice }, 'telling of a dispute will try again')
    }
  }
  return 0
}

async function tell(
  { pool, services: { userLetters }, config: { userLanguage: language } }: TellDeps,
  { id: noticeId, sellerId }: DisputeNotice,
): Promise<void> {
  const write = (recipients: string[], isLast: boolean) =>
    callRpc(userLetters, userLetters.tellOfDispute, { sellerId, noticeId, recipients, language, isLast })
  for await (const users of pagesOfUsers(pool, sellerId)) {
    await write(
      users.map(({ email }) => email),
      false,
    )
  }
  await write([], true)
}

function within<Result>(work: () => Promise<Result>): Promise<Result> {
  return runCall(newCall({ timeoutMs: TIMEOUT_MS }), work)
}
