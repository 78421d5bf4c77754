import { chargeStatus } from '@cofre/api/charge'
import { BRANDS } from '@cofre/platform/card/card-brand'
import { MAX_AMOUNT } from '@cofre/platform/money'
import type { ListChargesRequest } from '@cofre/proto/orders/v1/orders'
import { z } from 'zod'
import { lastFourQuery, queryBound, queryInteger, queryNames, queryText } from './fields/query-fields'

/** The filters of charges. They combine. */
export const chargeFilters = {
  orderReference: queryText().optional(),
  externalReference: queryInteger(1, Number.MAX_SAFE_INTEGER).optional(),
  status: queryNames(chargeStatus.schema).optional(),
  createdFrom: queryBound('from').optional(),
  createdTo: queryBound('to').optional(),
  amount: queryInteger(0, MAX_AMOUNT).optional().meta({ description: 'Cents: charges of just this amount.' }),
  brand: z.enum(BRANDS).optional().meta({ description: 'Of a card that pays a part of it, or all.' }),
  lastFour: lastFourQuery(),
  nsu: queryText().optional(),
  tid: queryText().optional(),
  authorizationCode: queryText().optional(),
  endToEndId: queryText().optional().meta({ description: 'Of the Pix that paid.' }),
}

type Filters = z.output<z.ZodObject<typeof chargeFilters>>

/** Returns the filters for the service. */
export function filtersOf({
  status = [],
  ...filters
}: Filters): Omit<ListChargesRequest, 'sellerId' | 'page' | 'size' | 'after' | 'place'> {
  return { ...ABSENT, ...filters, statuses: status.map(chargeStatus.valueOf) }
}

const ABSENT = {
  orderReference: undefined,
  externalReference: undefined,
  createdFrom: undefined,
  createdTo: undefined,
  amount: undefined,
  brand: undefined,
  lastFour: undefined,
  nsu: undefined,
  tid: undefined,
  authorizationCode: undefined,
  endToEndId: undefined,
}
