import { describeDecline } from '../src/charge/decline'

test.each([
  ['VISA', '51', 'INSUFFICIENT_FUNDS', true, 'TRY_LATER'],
  ['AMEX', '116', 'INSUFFICIENT_FUNDS', true, 'TRY_LATER'],
  ['ELO', '05', 'DO_NOT_HONOR', true, 'TRY_LATER'],
  ['ELO', '5', 'DO_NOT_HONOR', true, 'TRY_LATER'],
  ['ELO', '005', 'DO_NOT_HONOR', true, 'TRY_LATER'],
  ['VISA', ' 51 ', 'INSUFFICIENT_FUNDS', true, 'TRY_LATER'],
  ['VISA', '54', 'EXPIRED_CARD', false, 'FIX_DATA'],
  ['MASTERCARD', '14', 'INVALID_CARD_NUMBER', false, 'FIX_DATA'],
  ['VISA', '59', 'SUSPECTED_FRAUD', true, 'TRY_LATER'],
  ['VISA', '41', 'LOST_CARD', false, 'USE_ANOTHER_CARD'],
  ['ELO', '43', 'STOLEN_CARD', false, 'USE_ANOTHER_CARD'],
  ['VISA', 'N7', 'SECURITY_VIOLATION', false, 'FIX_DATA'],
  ['MASTERCARD', '63', 'SECURITY_VIOLATION', true, 'FIX_DATA'],
  ['HIPERCARD', '91', 'ISSUER_UNAVAILABLE', true, 'TRY_LATER'],
  ['DINERS', '51', 'INSUFFICIENT_FUNDS', true, 'TRY_LATER'],
  ['VISA', 'R1', 'RECURRING_STOPPED', false, 'DO_NOT_RETRY'],
])('%s %s is %s', (brand, code, name, retryable, advice) => {
  expect(describeDecline(brand, code, '')).toMatchObject({
    code: name,
    acquirerCode: code,
    retryable,
    advice,
  })
})

test.each([
  ['57', { VISA: false, MASTERCARD: true, ELO: false }],
  ['62', { VISA: true, MASTERCARD: false, ELO: false }],
  ['4', { VISA: false, MASTERCARD: false, ELO: true }],
])('the same number means different things for each brand: %s', (code, retryable) => {
  for (const [brand, wanted] of Object.entries(retryable)) {
    expect(describeDecline(brand, code, '').retryable).toBe(wanted)
  }
})

test.each([
  ['51', '03', false, 'DO_NOT_RETRY'],
  ['51', '3', false, 'DO_NOT_RETRY'],
  ['51', '21', false, 'DO_NOT_RETRY'],
  ['05', '40', false, 'DO_NOT_RETRY'],
  ['05', '41', false, 'DO_NOT_RETRY'],
  ['05', '01', false, 'FIX_DATA'],
  ['51', '24', true, 'TRY_LATER'],
  ['51', '30', true, 'TRY_LATER'],
  ['79', '', false, 'DO_NOT_RETRY'],
  ['79', '02', true, 'TRY_LATER'],
  ['83', '03', false, 'DO_NOT_RETRY'],
  // The stricter rule holds.
  ['14', '02', false, 'FIX_DATA'],
])('Mastercard %s with advice %s', (code, adviceCode, retryable, advice) => {
  expect(describeDecline('MASTERCARD', code, adviceCode)).toMatchObject({ retryable, advice })
})

test.each([
  ['77', 'CARD_CANCELED'],
  ['70', 'CARD_PROBLEM'],
  ['99', 'TIMED_OUT'],
  ['126', 'EXPIRED_CARD'],
  ['ZZ', 'GENERIC_DECLINE'],
  ['', 'GENERIC_DECLINE'],
])("the acquirer's own code %s is %s", (code, name) => {
  expect(describeDecline('VISA', code, '')).toMatchObject({ code: name })
})

test('an advice code is kept without its blanks, and blanks alone are none', () => {
  expect(describeDecline('MASTERCARD', '51', ' 03 ')).toMatchObject({ adviceCode: '03', retryable: false })
  expect(describeDecline('MASTERCARD', '51', ' ')).toMatchObject({ adviceCode: null, retryable: true })
})

test('a code in no list is final', () => {
  expect(describeDecline('JCB', 'ZZ', '').retryable).toBe(false)
})
