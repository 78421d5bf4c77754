import { isAskedNumber } from '../../src/card/tax-number'

test.each([
  ['#/document', '38657074000178'],
  ['#/document', '38.657.074/0001-78'],
  ['#/customer/document', '38.657.074/0001-78'],
  ['#/payments/0/card/holder/document', '38.657.074/0001-78'],
  ['#/holder/cnpj', '38657074000178'],
  ['#/customer/cpf', '529.982.247-25'],
  ['#/externalReference', '4111111111111111'],
  ['#/ourNumber', '41111111111111110'],
  ['#/ourNumber', '00190.00009 01234.567004 00000.004176 2 15030000012345'],
  ['#/ourNumber', '00192150300000123450000001234567000000000417'],
])('the number at %s is asked for by its name: %s', (pointer, value) => {
  expect(isAskedNumber(pointer, value)).toBe(true)
})

test.each([
  ['#/document', '30569309025904'],
  ['#/metadata/document', '38657074000178'],
  ['#/metadata/cnpj', '38657074000178'],
  ['#/customer/name', '38657074000178'],
  ['#/customers/document', '38657074000178'],
  ['#/document/x', '38657074000178'],
  ['#/mydocument', '38657074000178'],
  ['#/metadata/#/document', '38657074000178'],
  ['#/metadata/externalReference', '4111111111111111'],
  ['#/externalReference', '4111 1111 1111 1111'],
  ['#/externalReference', '41111111111111110'],
  ['#/externalReference/0', '4111111111111111'],
  ['#/ourNumber', '4111111111111111'],
  ['#/ourNumber', '4111 1111 1111 1111'],
  ['#/ourNumber', `4111111111111111${'0'.repeat(31)}`],
  ['#/ourNumber', `4111111111111111${'0'.repeat(28)}`],
  ['#/metadata/ourNumber', '41111111111111110'],
])('the number at %s is looked at as any other: %s', (pointer, value) => {
  expect(isAskedNumber(pointer, value)).toBe(false)
})
