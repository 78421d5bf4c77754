import type { DoomedSystem } from '../doomed-system'
import type { Ledger } from '../ledger'
import { messagesIn, openPage, redirectInbox, type Heard } from './redirect-story'
import type { BookedToken } from './voucher-books'

/** The notifications of each story in the inboxes; a repeat of the same message counts once. */
export async function readTold(
  system: DoomedSystem,
  tellers: readonly string[],
): Promise<Map<string, Heard[]>> {
  const messages = new Map<string, string>()
  const told = new Map<string, Heard[]>()
  for (const teller of tellers) {
    for (const { body, headers } of await messagesIn(system.ready.sandboxUrl, redirectInbox(teller))) {
      const id = headers['webhook-id'] ?? ''
      if (messages.get(id) === body) continue
      messages.set(id, body)
      const heard = JSON.parse(body) as Heard
      told.set(heard.cardReference, [...(told.get(heard.cardReference) ?? []), heard])
    }
  }
  return told
}

/** The outcomes that a page shows with 200. */
const SHOWN = ['ACTIVE', 'ACCESS_DENIED', 'CARD_NOT_ELIGIBLE']

/** Checks that the page on which a redirect ended shows the same outcome again. */
export async function checkPages(ledger: Ledger, made: readonly BookedToken[]): Promise<string[]> {
  const breaches: string[] = []
  for (const { story, url } of ledger.returns) {
    const one = made.find((token) => token.story === story)
    const isDone = one !== undefined && SHOWN.includes(one.reason ?? one.status)
    const due = isDone ? 200 : one?.reason === 'PROVIDER_ERROR' ? 503 : 400
    const { status } = await openPage(url)
    if (status !== due) breaches.push(`the page of ${story} (${one?.status} ${one?.reason}) is ${status}`)
  }
  return breaches
}
