import { changing, changingTime, fixed, fixedTime, type Columns } from '@cofre/platform/postgres/columns'
import type { RegisteredAsk } from '../rules/registered-ask'

/** The columns that the asks of every method have, but their id. */
export const ASK_COLUMNS: Columns<Omit<RegisteredAsk, 'id'>> = {
  sellerId: fixed,
  invoiceId: fixed,
  publicId: fixed,
  status: changing,
  account: fixed,
  amount: fixed,
  discounts: fixed,
  payableUntil: fixed,
  refusal: changing,
  dispatchDeadline: changingTime,
  operationId: changing,
  withdrawing: changing,
  accountGoneAt: changingTime,
  askAt: changingTime,
  version: changing,
  createdAt: fixedTime,
  updatedAt: changingTime,
}
