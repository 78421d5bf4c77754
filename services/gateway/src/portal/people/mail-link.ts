import { DomainError } from '@cofre/platform/errors'
import { callRpc } from '@cofre/platform/grpc/client'
import type { Language } from '../../http/route'
import { INVITED_MS, makeLink, NEW_PASSWORD_MS } from '../../sellers/password-links'
import type { PortalUser } from '../../sellers/portal-user-store'
import { findSeller } from '../../sellers/seller-store'
import type { Portal } from '../portal-context'

type Addressee = Pick<PortalUser, 'id' | 'email' | 'sellerId'>
/** `mailed`: false where there is no mail server, or it is not known whether the e-mail was written. */
export type MadeLink = { link: string; mailed: boolean }

/** Makes the link by which a person chooses a password, and mails it where there is a mail server. */
export async function mailLink(
  { pool, baseUrl, services: { userLetters }, log }: Portal,
  { id, email: recipient, sellerId }: Addressee,
  { isInvitation, language }: { isInvitation: boolean; language: Language },
): Promise<MadeLink> {
  const lastsMs = isInvitation ? INVITED_MS : NEW_PASSWORD_MS
  const link = await makeLink(pool, baseUrl, id, lastsMs)
  const sellerName = (await findSeller(pool, sellerId))?.name ?? ''
  const path = link.slice(baseUrl.length)
  const endsAt = Date.now() + lastsMs
  const letter = { sellerId, recipient, language, path, isInvitation, sellerName, endsAt }
  try {
    await callRpc(userLetters, userLetters.sendPasswordLink, letter)
    return { link, mailed: true }
  } catch (err) {
    if (!(err instanceof DomainError)) throw err
    log.info({ reason: err.reason, person: id }, 'no e-mail with a link was written')
    return { link, mailed: false }
  }
}
