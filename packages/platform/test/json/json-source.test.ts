import { lostInParsing } from '../../src/json-source'

const faults = (text: string) => {
  expect(() => JSON.parse(text) as unknown).not.toThrow()
  return lostInParsing(text).map(({ pointer, code }) => `${pointer} ${code}`)
}

test.each([
  ['{"amount":1,"amount":2}', ['#/amount DUPLICATE']],
  ['{"amount":1,"a\\u006dount":2}', ['#/amount DUPLICATE']],
  ['{"a":{"b":[{"c":1},{"c":1,"d":"{\\"c\\":1}","c":2}]}}', ['#/a/b/1/c DUPLICATE']],
  ['{"metadata":{"k":"1","k":"1","k":"1"}}', ['#/metadata/k DUPLICATE']],
  ['{"":1,"":2}', ['# DUPLICATE']],
  ['{"a/b":1,"a/b":2}', ['#/a~1b DUPLICATE']],
  ['{"constructor":1,"toString":2,"constructor":3}', ['#/constructor DUPLICATE']],
  ['{"a":1,"b":1,"c":[1,1],"d":{"a":1}}', []],
  ['{"a":"a","b":"a","c":["a","a"]}', []],
  ['{"metadata":{"__proto__":"x"}}', ['#/metadata/__proto__ RESERVED']],
])('of %s it finds %j', (text, found) => {
  expect(faults(text)).toEqual(found)
})

test.each([
  '12345678901234567890',
  '9007199254740993',
  '-9007199254740993',
  '10000000000000000',
  '1e21',
  '1e400',
  '1000.00000000000001',
  '0.10000000000000000555',
  '1e-400',
  `1.${'0'.repeat(50)}1`,
])('the number %s changes when it is read', (number) => {
  expect(faults(`{"a":[0,${number}]}`)).toEqual(['#/a/1 PRECISION'])
})

test.each([
  '0',
  '-0',
  '0.0',
  '9007199254740991',
  '-9007199254740991',
  '1000',
  '1000.0',
  '10.00',
  '1e3',
  '1E+3',
  '0.1',
  '0.30000000000000004',
  '1.5e-7',
  '5e-324',
  '1.7976931348623157e308'.replace('e308', 'e-8'),
  // As C and older PHP write 0.1 and 78.4: all digits of a double.
  '0.10000000000000001',
  '78.400000000000006',
])('the number %s is kept', (number) => {
  expect(faults(`{"a":${number}}`)).toEqual([])
})

test('a pointer shows no name that may be a value in disguise', () => {
  for (const name of ['4111111111111111', '4111 1111 1111 1111', '637036-1234-56', 'x'.repeat(200)]) {
    expect(faults(`{"a":{"${name}":1,"${name}":2}}`)).toEqual(['#/a DUPLICATE'])
  }
})

test('as many faults are found as an answer lists, however many there are', () => {
  const text = `[${Array.from({ length: 5_000 }, () => '{"a":1,"a":2}').join()}]`
  expect(lostInParsing(text)).toHaveLength(20)
})

test('what JSON.parse drops may be as deep as it likes', () => {
  const deep = `{"a":${'['.repeat(100_000)}{"b":1,"b":2}${']'.repeat(100_000)},"a":1}`
  expect(faults(deep)).toEqual([expect.stringMatching(/^#\/a(\/0){31} DUPLICATE$/), '#/a DUPLICATE'])
})
