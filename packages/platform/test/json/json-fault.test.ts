import { jsonFault } from '../../src/json-fault'

test.each([
  ['{"amount" 100}', 'line 1, column 11'],
  ['{\n  "amount": 100,\n}', 'line 3, column 1'],
  ['{\r\n"a": tru\r\n}', 'line 2, column 6'],
  ['{"a": 1', 'line 1, column 8'],
  ["{'a': 1}", 'line 1, column 2'],
  ['{"a": 1} x', 'line 1, column 10'],
  ['{"a": 1 // note\n}', 'line 1, column 9'],
])('%p names %s', (text, place) => {
  expect(() => JSON.parse(text) as unknown).toThrow()
  expect(jsonFault(Buffer.from(text))).toBe(`The body stops being valid JSON at ${place}.`)
})

test('bytes that are not UTF-8, and no bytes, are named as such', () => {
  expect(jsonFault(Buffer.from([0x7b, 0xff, 0x7d]))).toBe('The body is not UTF-8.')
  expect(jsonFault(Buffer.from('\uFEFF{}'))).toMatch(/byte order mark/)
  expect(jsonFault(Buffer.alloc(0))).toMatch(/no body/)
})

test('a body that is nested too deep for the parser gets no position', () => {
  expect(jsonFault(Buffer.from('['.repeat(200_000)))).toBe('The body is not valid JSON.')
})

test('nothing of the body is shown', () => {
  expect(jsonFault(Buffer.from('{"cardNumber": 4111111111111111x}'))).not.toMatch(/411111|card/)
})
