import { inspect } from 'node:util'
import { BRANDS, issuedRanges, issuerOf } from '@cofre/platform/card/card-brand'
import { faultOfCardNumber, looksLikeCardNumber, maskCardNumbersIn } from '@cofre/platform/card/card-number'
import { Cvv } from '../src/cards/cvv'
import { Pan } from '../src/cards/pan'

test.each([
  ['4024007153763191', 'VISA'],
  ['4111111111111111', 'VISA'],
  ['5555555555554444', 'MASTERCARD'],
  ['2221000000000009', 'MASTERCARD'],
  ['2720990000000007', 'MASTERCARD'],
  ['5502095822650000', 'MASTERCARD'],
  ['378282246310005', 'AMEX'],
  ['6362970000457013', 'ELO'],
  ['4011780000000006', 'ELO'],
  ['5067310000000002', 'ELO'],
  ['6505290000001234', 'ELO'],
  ['6505050000001109', 'ELO'],
  ['6550000000000001', 'ELO'],
  ['6062825624254001', 'HIPERCARD'],
  ['3841001111222233334', 'HIPERCARD'],
  ['30569309025904', 'DINERS'],
  ['36490102462661', 'DINERS'],
  ['6011000990139424', 'DISCOVER'],
  ['6445644564456445', 'DISCOVER'],
  ['3566002020360505', 'JCB'],
  ['6370360000000007', undefined],
  ['2220990000000000', undefined],
])('%s is of brand %s', (number, brand) => {
  expect(issuerOf(number)?.brand).toBe(brand)
})

test.each([
  // Public lists: all of 6509, Elo Mais, and ranges that are newer than most lists.
  ...['650900', '650920', '650979', '650985', '650999', '636369', '636368'].map((bin) => [bin, 'ELO', false]),
  ...['650057', '650081', '651680', '651704'].map((bin) => [bin, 'ELO', false]),
  // Unknown numbers in the blocks of Elo, at their edges, and those that more likely are Discover's.
  ...['650000', '650034', '650052', '650056', '650082', '650099'].map((bin) => [bin, 'ELO', true]),
  ...['650400', '650440', '650484', '650719', '650728', '650799'].map((bin) => [bin, 'ELO', true]),
  ...['651600', '651651', '651705', '651799', '655020', '655059', '655099'].map((bin) => [bin, 'ELO', true]),
  ...['650100', '650399', '650600', '650800', '650899', '651000', '651599'].map((bin) => [
    bin,
    'DISCOVER',
    true,
  ]),
  ...['651800', '654999', '655100', '659999', '622126', '622925'].map((bin) => [bin, 'DISCOVER', true]),
  ...['601100', '601199', '644000', '649999'].map((bin) => [bin, 'DISCOVER', false]),
  ['411111', 'VISA', false],
  ['510000', 'MASTERCARD', false],
])('a number that begins with %s is of %s; as a guess: %s', (bin, brand, isGuess) => {
  expect(issuerOf(`${bin}0000000000`)).toMatchObject({ brand, isGuess })
})

test('no page shows a brand that is a guess', () => {
  const shown = issuedRanges().map(({ brand }) => brand)
  expect(shown).toEqual([...new Set(shown)])
  expect(new Set(shown)).toEqual(new Set(BRANDS))
})

test.each([
  ['4111111111111111', undefined],
  ['6370360000000007', undefined],
  ['4111111111111112', 'LUHN'],
  ['411111111111111', 'LENGTH'],
  ['41111111111', 'LENGTH'],
  ['41111111111111111111', 'LENGTH'],
  ['987654000007', undefined],
  ['9876540000000000001', undefined],
  ['98765400001', 'LENGTH'],
  ['98765400000000000007', 'LENGTH'],
  ['4111-1111-1111-1111', 'FORMAT'],
  ['４１１１１１１１１１１１１１１１', 'FORMAT'],
  ['', 'FORMAT'],
])('the fault of %s is %s', (number, fault) => {
  expect(faultOfCardNumber(number)).toBe(fault)
})

test('digits without a known brand, or of the wrong length for it, do not look like a card', () => {
  expect(looksLikeCardNumber('5555555555554444')).toBe(true)
  expect(looksLikeCardNumber('9876540000000007')).toBe(false)
  expect(looksLikeCardNumber('55555555555544')).toBe(false)
})

test('a voucher’s number looks like a card without a check digit, at its own length only', () => {
  expect(looksLikeCardNumber('6370361234567803')).toBe(true)
  expect(looksLikeCardNumber('5067229000000062')).toBe(true)
  expect(looksLikeCardNumber('637036123456780')).toBe(false)
  expect(looksLikeCardNumber('6370381234567803')).toBe(false)
})

test.each<[text: string, masked: string]>([
  ['a 6370361234567803 b', 'a 637036******7803 b'],
  ['a 4111111111111111 b', 'a 411111******1111 b'],
  ['4111.1111.1111.1111', '411111******1111'],
  ['3782 822463 10005', '378282*****0005'],
  ['4111111111111111,5555555555554444', '411111******1111,555555******4444'],
  ['PAN4111111111111111', 'PAN411111******1111'],
  ['4111\u00a01111\u00a01111\u00a01111', '411111******1111'],
  ['4111  1111  1111  1111', '411111******1111'],
  ['4111/1111/1111/1111', '411111******1111'],
  ['4111\t1111\n1111\t1111', '411111******1111'],
  ['4111\u20131111\u20141111\u20111111', '411111******1111'],
  ['４１１１１１１１１１１１１１１１', '411111******1111'],
  ['4111\u200b1111\u00ad1111\u20601111', '411111******1111'],
  ['4\u200b1\u200b1\u200b1\u200b 1111 1111 1111', '411111******1111'],
  ['4111\ufe0f1111\u034f1111\u200e1111', '411111******1111'],
  ['4111\u22121111\u22121111\u22121111', '411111******1111'],
  ['4111\u20221111\u20271111\u22191111', '411111******1111'],
  ['4111 - 1111 - 1111 - 1111', '411111******1111'],
  ['4111   1111   1111   1111', '411111******1111'],
  ['4111*1111*1111*1111', '411111******1111'],
  ['4111+1111+1111+1111', '411111******1111'],
  ['4111 ~ 1111 ~ 1111 ~ 1111', '411111******1111'],
  ['4111_1111_1111_1111', '411111******1111'],
  ['4111|1111|1111|1111', '411111******1111'],
  ['4111\\1111\\1111\\1111', '411111******1111'],
  ['4111*1111+1111~1111', '4111*1111+1111~1111'],
  [
    '\u0664\u0661\u0661\u0661 \u0661\u0661\u0661\u0661 \u0661\u0661\u0661\u0661 \u0661\u0661\u0661\u0661',
    '411111******1111',
  ],
  [
    '\u096a\u0967\u0967\u0967\u0967\u0967\u0967\u0967\u0967\u0967\u0967\u0967\u0967\u0967\u0967\u0967',
    '411111******1111',
  ],
  ['④①①①①①①①①①①①①①①①', '411111******1111'],
  ['Jos\u00e9 da Concei\u00e7\u00e3o', 'Jos\u00e9 da Concei\u00e7\u00e3o'],
  ['41111111 11111111', '411111******1111'],
  ['4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1', '411111******1111'],
  ['order 12 4111111111111111', 'order 12 411111******1111'],
  ['4111111111111111123', '411111******1111123'],
  ['4111111111111111.00', '411111******1111.00'],
  ['%B4111111111111112^SOUZA/ANA^3012101?', '%B411111******1112^SOUZA/ANA^3012101?'],
  [';4111111111111112=30121010000000?', ';411111******1112=30121010000000?'],
  ['6759649826438453', '675964******8453'],
  ['x9876540000000007', 'x9876540000000007'],
  ['2026-11-23 14:05:33.120 1763906733120', '2026-11-23 14:05:33.120 1763906733120'],
  ['23793381286008200009055000063305789170000010000', '23793381286008200009055000063305789170000010000'],
  ['4111111111111111-cafe', '411111******1111-cafe'],
  ['id 7f3a9c21-4111111111111111-cafe0bad', 'id 7f3a9c21-411111******1111-cafe0bad'],
  ['5f0c9d2e8b7a4111111111111111e3f6a2b1', '5f0c9d2e8b7a4111111111111111e3f6a2b1'],
  ['0f6c2f5e-4111-1111-1111-111111117a10', '0f6c2f5e-4111-1111-1111-111111117a10'],
])('%s is shown as %s', (text, masked) => {
  expect(maskCardNumbersIn(text)).toBe(masked)
})

test('a number never prints whole, and a CVV never prints at all', () => {
  const secrets = { pan: new Pan('4111111111111111'), cvv: new Cvv('987') }
  const printed = [
    JSON.stringify(secrets),
    inspect(secrets, { depth: 9, showHidden: true }),
    String(secrets.pan) + String(secrets.cvv),
  ]

  expect(printed.join()).not.toMatch(/411111|\b987\b/)
  expect(secrets.pan.reveal() + secrets.cvv.reveal()).toBe('4111111111111111987')
  expect(() => new Pan('4111 1111')).toThrow('12 to 19 digits')
  expect(() => new Cvv('12')).toThrow('3 or 4 digits')
})
