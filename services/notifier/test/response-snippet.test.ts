import { snippetOf } from '../src/deliveries/response-snippet'

const snippet = (text: string, isWhole = true) => snippetOf(Buffer.from(text), isWhole)

test('an answer is kept as it is, up to 1024 bytes', () => {
  expect(snippet('{"ok":true,\n"ação":"✓"}')).toBe('{"ok":true,\n"ação":"✓"}')
  expect(snippet('x'.repeat(5_000))).toBe('x'.repeat(1_024))
})

test.each([
  '4111111111111111',
  '4111 1111 1111 1111',
  '4111-1111-1111-1111',
  '3782.822463.10005',
  '12345678901',
])('the long number %s is masked', (number) => {
  expect(snippet(`card=${number};`)).toBe(`card=${number.replaceAll(/\d/g, '*')};`)
})

test('our own ids and amounts are not masked', () => {
  expect(snippet('{"id":981,"amount":10000}')).toBe('{"id":981,"amount":10000}')
})

test('a number that is cut off is masked however short it is', () => {
  expect(snippet(`${'x'.repeat(1_020)}4111111111111111`)).toBe(`${'x'.repeat(1_020)}****`)
  expect(snippet('card 41111111', false)).toBe('card ********')
})

test('bytes that are not text become characters that a database and a page accept', () => {
  expect(snippetOf(Buffer.from([0x41, 0, 0x1b, 0xff, 0xfe, 0x42]), true)).toBe('A  \ufffd\ufffdB')
})
