import type { ForwardRequest } from '@cofre/proto/vault/v1/vault'
import { NO_ACCOUNT, noEstablishment, type OpenAccount } from '../accounts/account'
import { credentialsOf } from '../accounts/account-credentials'
import type { Card } from '../cards/card'
import { invalidHandle, openHandle } from '../cards/handle'
import { cardOfHandle, cardOfNetworkToken, storedCard } from '../cards/handle-card'
import { useNetworkToken } from '../cards/network-token'
import { revealVoucher, voucherUnusable } from '../cards/voucher'
import type { Deps } from '../deps'
import { readGrant, type KeptGrant } from '../grants/grants'
import { invalidCall } from './partner-body'
import { isOfGrant, type PartnerSetting, type Placeholder } from './partners'

/** The data of a call that only the vault knows, unsealed. It goes out with the call and must not come back. */
export type Filling = { card: Card | undefined; kept: KeptGrant | undefined; account: OpenAccount }

/** Finds the data for a call. `wanted`: the body's placeholders. When any is missing, it throws before the sending. */
export async function findFilling(
  deps: Deps,
  setting: PartnerSetting,
  request: ForwardRequest,
  wanted: ReadonlySet<Placeholder>,
): Promise<Filling> {
  const [card, kept, account] = await Promise.all([
    request.voucherToken === '' ? cardOf(deps, request) : voucherOf(deps, request, wanted),
    grantOf(deps, setting, request, wanted),
    accountOf(deps, setting, request),
  ])
  return { card, kept, account }
}

/** The texts of a filling that an answer must not show. */
export function secretsOf({ bodyCredentials }: PartnerSetting, filling: Filling): string[] {
  const { card, kept, account } = filling
  const { clientSecret, privateKey } = account.credentials
  const texts = [
    card?.number.reveal(),
    card?.token?.number.reveal(),
    ...Object.values(kept?.grant ?? {}),
    ...Object.values(bodyCredentials).map((credential) => account.credentials[credential]),
    clientSecret,
    privateKey,
  ]
  return texts.filter((text) => text !== undefined)
}

/**
 * Returns the card of a call; undefined when the call names neither a card nor a network token. Naming a network token
 * marks it as used.
 */
async function cardOf(
  deps: Deps,
  { sellerId, handle, cardToken, networkToken }: ForwardRequest,
): Promise<Card | undefined> {
  if (networkToken !== '') await useNetworkToken(deps, sellerId, networkToken)
  if (handle !== '') return cardOfHandle(deps, sellerId, handle)
  if (cardToken !== '') return storedCard(deps, sellerId, { token: cardToken })
  return networkToken === '' ? undefined : cardOfNetworkToken(deps, sellerId, networkToken)
}

/** The card behind the voucher token, when the body has a place for it, with the handle's CVV for this one call. */
async function voucherOf(
  { pool, keys, now }: Deps,
  { sellerId, handle, cardToken, networkToken, voucherToken }: ForwardRequest,
  wanted: ReadonlySet<Placeholder>,
): Promise<Card | undefined> {
  if (cardToken !== '' || networkToken !== '') throw invalidCall()
  const sealed = handle === '' ? { voucherToken } : await openHandle(keys, sellerId, handle, now())
  if (!('voucherToken' in sealed) || sealed.voucherToken !== voucherToken) throw invalidHandle()
  if ([...wanted].every(isOfGrant)) return undefined
  const card = await revealVoucher({ pool, keys }, sellerId, voucherToken)
  return 'cvv' in sealed && sealed.cvv ? { ...card, cvv: sealed.cvv } : card
}

/** The grant kept with the voucher token, when the call carries a part of it or may renew it. */
async function grantOf(
  deps: Deps,
  { bearer, grants }: PartnerSetting,
  { sellerId, voucherToken }: ForwardRequest,
  wanted: ReadonlySet<Placeholder>,
): Promise<KeptGrant | undefined> {
  if (voucherToken === '') {
    if (bearer) throw voucherUnusable()
    return undefined
  }
  if (!bearer && !grants && ![...wanted].some(isOfGrant)) return undefined
  const kept = await readGrant(deps, { sellerId, voucherToken })
  if (!kept) throw voucherUnusable()
  const { code, accessToken, refreshToken } = kept.grant
  const lacks =
    (bearer && accessToken === undefined) ||
    (wanted.has('authorizationCode') && code === undefined) ||
    (wanted.has('refreshToken') && refreshToken === undefined)
  if (lacks) throw voucherUnusable()
  return kept
}

/** The seller's account, when the settings need one. Throws when a credential that they need is missing. */
export async function accountOf(
  { accounts }: Deps,
  setting: PartnerSetting,
  { sellerId, partner, account }: { sellerId: number; partner: string; account: string },
): Promise<OpenAccount> {
  const wanted = credentialsOf(setting)
  if (wanted.length === 0) return NO_ACCOUNT
  const kept = await accounts.find({ sellerId, partner: setting.accountsOf ?? partner, name: account })
  if (wanted.some((credential) => kept.credentials[credential] === undefined)) throw noEstablishment()
  return kept
}
