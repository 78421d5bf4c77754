import { MAX_AMOUNT } from '@cofre/platform/money'
import type { ProductFields as Message } from '@cofre/proto/invoices/v1/products'
import type { ProductFields } from '../../products/product'
import { fieldsOf, typeOf } from '../../products/product-message'
import { fault, requireAll, throwFaults } from '../request-check'

/** Reads the product of a request. INVALID_ARGUMENT VALIDATION_FAILED. */
export function readFields(fields: Message | undefined): ProductFields {
  const type = typeOf(fields?.productType)
  requireAll({ '#/name': fields?.name, '#/productType': type })
  const { value } = fields as Message
  const isAmount = Number.isSafeInteger(value) && value >= 0 && value <= MAX_AMOUNT
  throwFaults(isAmount ? [] : [fault('#/value', 'RANGE', `must be whole cents from 0 to ${MAX_AMOUNT}`)])
  return fieldsOf(fields as Message, type ?? 'ONETIME')
}
