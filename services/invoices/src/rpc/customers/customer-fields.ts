import type { CustomerFields as Message } from '@cofre/proto/invoices/v1/customers'
import type { CustomerFields } from '../../customers/customer'
import { fieldsOf } from '../../customers/customer-message'
import { requireAll } from '../request-check'

/** Reads the customer of a request. INVALID_ARGUMENT VALIDATION_FAILED without a name or a document. */
export function readFields(fields: Message | undefined): CustomerFields {
  requireAll({ '#/name': fields?.name, '#/document': fields?.document })
  return fieldsOf(fields as Message)
}
