import { barcodeOf, barcodeWith, digitableLineOf, printedLine } from '../../src/boletos/rules/barcode'
import { mod10, mod11 } from '../../src/boletos/rules/check-digit'
import { canBeRead, dueFactor } from '../../src/boletos/rules/due-factor'
import { isAgreement, ourNumberOf } from '../../src/boletos/rules/our-number'
import { oracleBarcode, oracleLine, randomSlips } from '../support/boleto-oracle'

test.each([
  ['001905009', 5],
  ['4014481606', 9],
  ['0680935031', 4],
  ['341911012', 1],
  ['3456788005', 8],
  ['7123457000', 1],
  ['00571234511012345678', 8],
])('modulus 10 of %s is %i', (digits, digit) => expect(mod10(digits)).toBe(digit))

test.each([
  ['0019373700000001000500940144816060680935031', 3],
  ['3419166700000123451101234567880057123457000', 6],
  ['7459588800000774303611264424020000000002674', 4],
  ['7459588800000580253611264424020000000003131', 1],
])('modulus 11 of %s is %i', (digits, digit) => expect(mod11(digits)).toBe(digit))

test.each([
  ['2000-07-03', '1000'],
  ['2000-07-04', '1001'],
  ['2002-05-01', '1667'],
  ['2025-02-20', '9998'],
  ['2025-02-21', '9999'],
  ['2025-02-22', '1000'],
  ['2025-02-23', '1001'],
  ['2026-07-01', '1494'],
  ['2029-05-20', '2548'],
  ['2049-10-13', '9999'],
  ['2049-10-14', '1000'],
])('the due factor of %s is %s', (day, factor) => expect(dueFactor(day)).toBe(factor))

test('a factor gives a day up to 3,000 days back and 5,500 ahead', () => {
  const today = '2026-07-01'
  expect(['2018-04-14', '2018-04-15', today].map((day) => canBeRead(day, today))).toEqual([true, true, true])
  expect(['2018-04-12', '2041-07-23', '2041-07-22'].map((day) => canBeRead(day, today))).toEqual([
    false,
    false,
    true,
  ])
})

// Published by the banks, or by companies whose slips the banks check (facts/brazil.md, 1.6).
test.each([
  ['001', '2008-02-03', 13_500, '0000001238798777770016818', '00193377100000135000000001238798777770016818'],
  ['001', '2008-02-03', 72_356, '0000001238798777770016818', '00195377100000723560000001238798777770016818'],
  ['001', '2016-07-05', 224_674, '0000001474166000000032817', '00191684600002246740000001474166000000032817'],
  ['001', '2007-12-31', 100, '0500940144816060680935031', '00193373700000001000500940144816060680935031'],
  ['341', '2002-05-01', 12_345, '1101234567880057123457000', '34196166700000123451101234567880057123457000'],
  ['341', '2029-05-20', 675_787, '1090001015271248021246000', '34194254800006757871090001015271248021246000'],
  ['237', '2009-04-30', 295_295, '1172060007589645204030050', '23795422300002952951172060007589645204030050'],
  ['104', '2006-08-23', 32_112, '0055077222133347777777771', '10494324200000321120055077222133347777777771'],
])('the barcode of bank %s, due %s, %i cents', (bank, dueDay, amount, freeField, barcode) => {
  expect(barcodeWith({ bank, dueDay, amount, freeField })).toBe(barcode)
})

test.each([
  ['2025-02-22', 10_000, 1, '00192100000000100000000001234567000000000117'],
  ['2026-07-10', 12_345, 42, '00192150300000123450000001234567000000004217'],
  // The check digit would be 0, 10 or 11: it is 1.
  ['2025-02-22', 10_000, 4, '00191100000000100000000001234567000000000417'],
  ['2025-02-22', 10_000, 16, '00191100000000100000000001234567000000001617'],
  ['2025-02-22', 10_000, 7, '00191100000000100000000001234567000000000717'],
])('a slip due %s of %i cents with the number %i', (dueDay, amount, sequence, barcode) => {
  expect(barcodeOf({ dueDay, amount, ourNumber: ourNumberOf('1234567', sequence) })).toBe(barcode)
})

test.each([
  ['00192150300000123450000001234567000000004217', '00190.00009 01234.567004 00000.042176 2 15030000012345'],
  ['34194254800006757871090001015271248021246000', '34191.09008 01015.271248 80212.460002 4 25480000675787'],
  ['34195844100000020005000001233203186422147000', '34195.00008 01233.203189 64221.470004 5 84410000002000'],
  ['07797900200000151300001112064449900815936556', '07790.00116 12064.449908 08159.365561 7 90020000015130'],
])('the digitable line of %s', (barcode, line) => {
  expect(printedLine(digitableLineOf(barcode))).toBe(line)
})

test('10,000 slips have the digits that an independent calculation gives', () => {
  const others = [...randomSlips(10_000)].filter((slip) => {
    const barcode = barcodeOf(slip)
    return barcode !== oracleBarcode(slip) || digitableLineOf(barcode) !== oracleLine(barcode)
  })
  expect(others).toEqual([])
})

test('the largest amount is 99,999,999.99; a larger amount, or none, has no barcode', () => {
  const of = (amount: number) => () =>
    barcodeOf({ dueDay: '2026-07-10', amount, ourNumber: ourNumberOf('1234567', 1) })
  expect(of(9_999_999_999)().slice(9, 19)).toBe('9999999999')
  for (const amount of [10_000_000_000, 0, -1, 1.5, Number.NaN]) expect(of(amount)).toThrow('a boleto asks')
})

test('an agreement has seven digits, and a sequence has ten', () => {
  expect(['1234567', '0234567', '123456', 'x234567'].map(isAgreement)).toEqual([true, false, false, false])
  expect(ourNumberOf('1234567', 9_999_999_999)).toBe('12345679999999999')
  for (const sequence of [0, 10_000_000_000]) expect(() => ourNumberOf('1234567', sequence)).toThrow()
  expect(() => ourNumberOf('123456', 1)).toThrow()
})
