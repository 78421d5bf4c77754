import { callRpc } from '@cofre/platform/grpc/client'
import { CustomerFields, type Customer } from '@cofre/proto/invoices/v1/customers'
import type { TestInvoices } from './start-invoices'

export const ANA = CustomerFields.fromPartial({
  name: 'Ana Souza',
  document: '12345678909',
  birthdate: '1990-05-31',
  phone: { countryCode: 55, areaCode: 11, number: 987_654_321 },
  email: 'ana@example.com',
  address: {
    street: 'Rua das Flores',
    streetNumber: '120',
    lineTwo: 'ap 42',
    state: 'SP',
    zipCode: '01001000',
  },
})

export function createCustomer(
  { customers }: Pick<TestInvoices, 'customers'>,
  sellerId: number,
  changes: Partial<CustomerFields> = {},
): Promise<Customer> {
  return callRpc(customers, customers.createCustomer, { sellerId, fields: { ...ANA, ...changes } })
}
