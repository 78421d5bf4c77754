import { databaseNow } from '@cofre/platform/service/database-clock'
import { manyAtOnce } from '@cofre/platform/service/many-at-once'
import type { Loop } from '@cofre/platform/service/lifecycle'
import type { EmailDeps } from '../deps'
import { GIVE_UP_MS, nextTry } from './queue/email'
import { countTried, type MailOutcome } from './mailer/mailer'
import { DEFAULT_THEME } from '../catalog/themes/theme'
import { findTheme } from '../catalog/themes/theme-store'
import { userLetter } from './users/user-letter'
import {
  leaseUserLetters,
  postponeUserLetter,
  endUserLetter,
  type DueUserLetter,
} from './users/user-letter-store'

/** Longer than one sending may take (mailer/smtp-mailer.ts): nobody else sends it meanwhile. */
const LEASE_MS = 60_000
const AT_ONCE = 4

const KINDS = { endpoint: 'ENDPOINT_DISABLED', dispute: 'DISPUTE', password: 'PASSWORD_LINK' } as const

type Ended = { is: 'expired' } | MailOutcome

/** Sends e-mails to sellers' users until stopped, several at once; any number of replicas may run. */
export function startSendingUserLetters(deps: EmailDeps): Loop {
  return manyAtOnce<DueUserLetter>(
    {
      atOnce: AT_ONCE,
      nameOf: ({ id }) => id,
      take: (batch, inHand) =>
        leaseUserLetters(deps.pool, { at: databaseNow(), firstMs: LEASE_MS, maxMs: LEASE_MS, batch, inHand }),
      work: (letter) => send(deps, letter),
    },
    deps.emailEveryMs,
    (err) => deps.log.error({ err }, 'sending e-mails to users failed'),
  )
}

/** Must not fail: an e-mail whose end is not saved is taken again after its lease. */
async function send(deps: EmailDeps, letter: DueUserLetter): Promise<void> {
  const logged = { userLetterId: letter.id, sellerId: letter.sellerId, tries: letter.asks }
  try {
    const { is, ...more } = await attempt(deps, letter)
    await write(deps, letter, is)
    deps.log[is === 'sent' ? 'info' : 'warn']({ ...logged, outcome: is, ...more }, 'e-mail to a user tried')
    countTried(KINDS[letter.facts.about], is)
  } catch (err) {
    deps.log.error({ ...logged, err }, 'e-mail to a user not tried')
  }
}

async function attempt({ pool, mailer, baseUrl }: EmailDeps, letter: DueUserLetter): Promise<Ended> {
  const { sellerId, language, facts, recipient, messageId } = letter
  if (databaseNow() - letter.createdAt > GIVE_UP_MS) return { is: 'expired' }
  const theme = (await findTheme(pool, sellerId)) ?? DEFAULT_THEME
  const written = userLetter({ language, facts, theme, baseUrl })
  return mailer.send({
    ...written,
    to: { name: '', address: recipient },
    fromName: null,
    messageId,
    language,
  })
}

async function write(
  { pool, emailRetryFirstMs }: EmailDeps,
  { id, asks }: DueUserLetter,
  is: Ended['is'],
): Promise<void> {
  if (is === 'failed') return postponeUserLetter(pool, id, nextTry(databaseNow(), asks, emailRetryFirstMs))
  const ends = { sent: 'SENT', refused: 'REFUSED', expired: 'EXPIRED' } as const
  return endUserLetter(pool, id, ends[is])
}
