import type { PaidFor } from '../../methods/ask'
import { registeredAsks } from '../../methods/store/registered-asks'
import type { Boleto } from '../rules/boleto'
import { askedOn } from '../rules/terms'
import { BOLETOS } from './boleto-store'
import { findSellerOfAccount } from './number-store'

export const BOLETO_ASKS = registeredAsks<Boleto>({
  method: 'BOLETO',
  store: BOLETOS,
  findSeller: findSellerOfAccount,
  isKnown: ({ barcode }) => barcode !== null,
  isAgreed: () => false,
  dueOn: askedOn,
})

/** The slip for which the bank reports money. */
export function paidForSlip({ account, ourNumber }: Pick<Boleto, 'account' | 'ourNumber'>): PaidFor {
  return { method: 'BOLETO', account, askNumber: ourNumber }
}
