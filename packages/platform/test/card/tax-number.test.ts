import { parseDocument } from '../../src/card/tax-number'

test.each([
  ['12345678909', '12345678909'],
  ['123.456.789-09', '12345678909'],
  ['11.222.333/0001-81', '11222333000181'],
  ['11222333000181', '11222333000181'],
  // The example of an alphanumeric CNPJ by the Receita Federal.
  ['12.ABC.345/01DE-35', '12ABC34501DE35'],
  ['12.abc.345/01de-35', '12ABC34501DE35'],
  [' 123.456.789-09\n', '12345678909'],
])('%s is a document', (text, bare) => {
  expect(parseDocument(text)).toBe(bare)
})

test.each([
  '12345678900',
  '11111111111',
  '00000000000000',
  '11222333000182',
  '12.ABC.345/01DE-36',
  '1234567890',
  '123-456-789.09',
  '12345678909x',
  '11.222.333/000181',
  // Their check digits are right, for as many digits as they have.
  '011222333000181',
  '112223330001818',
  '',
])('%p is not a document', (text) => {
  expect(parseDocument(text)).toBeUndefined()
})
