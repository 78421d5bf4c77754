import { parseDocument } from '../../src/routes/fields/document-number'

test.each([
  ['12345678909', '12345678909'],
  ['123.456.789-09', '12345678909'],
  ['11.222.333/0001-81', '11222333000181'],
  ['11222333000181', '11222333000181'],
  // The example of an alphanumeric CNPJ by the Receita Federal.
  ['12.ABC.345/01DE-35', '12ABC34501DE35'],
  ['12.abc.345/01de-35', '12ABC34501DE35'],
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
  '',
])('%p is not a document', (text) => {
  expect(parseDocument(text)).toBeUndefined()
})
