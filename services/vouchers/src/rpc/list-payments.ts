import { statusNames } from '@cofre/platform/list-page'
import {
  VoucherPaymentStatus,
  type ListPaymentsRequest,
  type ListPaymentsResponse,
} from '@cofre/proto/vouchers/v1/vouchers'
import type { Deps } from '../deps'
import { toMessage } from '../payment-store/payment-message'
import { listPayments as findPayments } from '../payment-store/payment-search-store'
import { fault, throwFaults } from './request-check'

const SIZE_MAX = 100

export async function listPayments(
  { pool }: Deps,
  request: ListPaymentsRequest,
): Promise<ListPaymentsResponse> {
  const {
    page,
    size,
    after,
    place,
    statuses,
    sellerId,
    referenceId,
    cardBrand,
    token,
    createdFrom,
    createdTo,
  } = request
  if (size < 1 || size > SIZE_MAX) throwFaults([fault('#/size', 'RANGE', `must be from 1 to ${SIZE_MAX}`)])
  if (page < 0) throwFaults([fault('#/page', 'MIN', 'must be at least 0')])
  const wanted = statusNames(VoucherPaymentStatus, statuses)
  const filter = { sellerId, referenceId, statuses: wanted, brand: cardBrand, token, createdFrom, createdTo }
  const { entries, ...end } = await findPayments(pool, filter, { page, size, after, place })
  return { payments: entries.map(toMessage), ...end }
}
