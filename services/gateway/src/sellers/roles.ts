import { SCOPES, type Scope } from '@cofre/api/scopes'
import type { Route } from '../http/route'

/** What a person may do in the portal. Each role is a column of the table in the README. */
export const ROLES = ['OWNER', 'OPERATOR', 'SALES', 'SUPPORT', 'BOOKKEEPER', 'READ_ONLY'] as const
export type Role = (typeof ROLES)[number]

/** What is no operation of the API. `people`: users and their roles. `audit`: who did what. `developers`: tokens, endpoints and secrets. */
export type Right = 'people' | 'audit' | 'developers'

type Allowed = { scopes: readonly Scope[]; operations?: readonly string[]; rights: readonly Right[] }

const READING = SCOPES.filter((scope) => scope.endsWith(':read'))
const SHOP_READING = READING.filter((scope) => scope !== 'webhooks:read')

const ALLOWED: Record<Role, Allowed> = {
  OWNER: { scopes: SCOPES, rights: ['people', 'audit', 'developers'] },
  OPERATOR: { scopes: SCOPES.filter((scope) => !scope.startsWith('webhooks:')), rights: [] },
  SALES: {
    scopes: SHOP_READING,
    operations: [
      'createCustomer',
      'replaceCustomer',
      'createProduct',
      'replaceProduct',
      'createInvoice',
      'replaceInvoice',
      'finalizeInvoice',
      'sendInvoiceEmail',
      'createRecurringInvoice',
      'createBooklet',
    ],
    rights: [],
  },
  SUPPORT: {
    scopes: [...SHOP_READING, 'customers:write', 'disputes:write'],
    operations: ['refundCharge', 'refundInvoice', 'cancelVoucherPayment', 'sendInvoiceEmail'],
    rights: [],
  },
  BOOKKEEPER: {
    scopes: SHOP_READING,
    operations: [
      'applyUnexpectedReceipt',
      'returnUnexpectedReceipt',
      'keepUnexpectedReceipt',
      'recordExternalPayment',
      'recordInvoiceReturn',
      'writeOffInvoice',
      'markInvoiceUncollectible',
    ],
    rights: ['audit'],
  },
  READ_ONLY: { scopes: SHOP_READING, rights: [] },
}

/** True when a role allows an operation of the API. */
export function mayDo(role: Role, { scope, operationId }: Pick<Route, 'scope' | 'operationId'>): boolean {
  const { scopes, operations = [] } = ALLOWED[role]
  return scope === 'any' || scope === 'public' || scopes.includes(scope) || operations.includes(operationId)
}

export function hasRight(role: Role, right: Right): boolean {
  return ALLOWED[role].rights.includes(right)
}
