import type { PaidFor } from '../../methods/ask'
import { registeredAsks } from '../../methods/store/registered-asks'
import { isKnown, type PixCharge } from '../rules/pix-charge'
import { pixAskedOn } from '../rules/pix-terms'
import { findSellerOfKey } from './pix-account-store'
import { PIX_CHARGES } from './pix-store'

export const PIX_ASKS = registeredAsks<PixCharge>({
  method: 'PIX',
  store: PIX_CHARGES,
  findSeller: findSellerOfKey,
  isKnown,
  isAgreed: ({ collection }) => collection !== null,
  dueOn: pixAskedOn,
})

/** The charge for which the bank reports money. */
export function paidForPix({ account, txid }: Pick<PixCharge, 'account' | 'txid'>): PaidFor {
  return { method: 'PIX', account, askNumber: txid }
}
