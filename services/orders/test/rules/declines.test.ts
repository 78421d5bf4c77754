import { recordAuthorization } from '../../src/charge/authorization'
import { describeDecline } from '../../src/charge/decline'
import { pendingCharge, REFERENCE, TERMS } from './charges'

/**
 * Every code of ABECS Normativo 21 that an acquirer may answer, by brand, as in an integrator's table: the code, its
 * name, whether the same card may be tried again, and the advice. DINERS stands for every brand without its own codes.
 */
const DECLINES: Record<string, string> = {
  ELO: `
    4 TRY_AGAIN yes TRY_LATER
    5 DO_NOT_HONOR yes TRY_LATER
    6 TRY_AGAIN yes TRY_LATER
    12 INVALID_CARD no USE_ANOTHER_CARD
    13 INVALID_AMOUNT no FIX_DATA
    14 INVALID_CARD_NUMBER no FIX_DATA
    19 ACQUIRER_PROBLEM no DO_NOT_RETRY
    23 INVALID_INSTALLMENTS no FIX_DATA
    30 FORMAT_ERROR no FIX_DATA
    38 PIN_TRIES_EXCEEDED yes TRY_LATER
    41 LOST_CARD no USE_ANOTHER_CARD
    43 STOLEN_CARD no USE_ANOTHER_CARD
    46 ACCOUNT_CLOSED no USE_ANOTHER_CARD
    51 INSUFFICIENT_FUNDS yes TRY_LATER
    54 EXPIRED_CARD no FIX_DATA
    55 INVALID_PIN yes FIX_DATA
    56 INVALID_CARD_NUMBER no FIX_DATA
    57 TRANSACTION_NOT_ALLOWED no USE_ANOTHER_CARD
    58 INVALID_MERCHANT no DO_NOT_RETRY
    59 SUSPECTED_FRAUD yes TRY_LATER
    61 LIMIT_EXCEEDED yes TRY_LATER
    62 CARD_BLOCKED no DO_NOT_RETRY
    63 SECURITY_VIOLATION no FIX_DATA
    64 INVALID_AMOUNT no FIX_DATA
    65 COUNT_EXCEEDED yes TRY_LATER
    75 PIN_TRIES_EXCEEDED yes TRY_LATER
    76 INVALID_ACCOUNT no USE_ANOTHER_CARD
    77 INVALID_ACCOUNT no USE_ANOTHER_CARD
    78 CARD_NOT_UNLOCKED yes TRY_LATER
    82 INVALID_CARD no USE_ANOTHER_CARD
    83 INVALID_CARD no USE_ANOTHER_CARD
    91 ISSUER_UNAVAILABLE yes TRY_LATER
    96 SYSTEM_FAILURE yes TRY_LATER
    AB WRONG_CARD_FUNCTION no DO_NOT_RETRY
    AC WRONG_CARD_FUNCTION no DO_NOT_RETRY
    FM USE_CHIP no USE_ANOTHER_CARD
    P5 PIN_REFUSED no DO_NOT_RETRY
    P6 PIN_REFUSED yes TRY_LATER
  `,
  VISA: `
    3 INVALID_MERCHANT no DO_NOT_RETRY
    4 CARD_RETAINED no USE_ANOTHER_CARD
    5 DO_NOT_HONOR yes TRY_LATER
    6 INVALID_CARD no USE_ANOTHER_CARD
    7 CONFIRMED_FRAUD no USE_ANOTHER_CARD
    12 FORMAT_ERROR no FIX_DATA
    13 INVALID_AMOUNT no FIX_DATA
    14 INVALID_CARD_NUMBER no FIX_DATA
    15 ISSUER_NOT_FOUND no USE_ANOTHER_CARD
    19 ACQUIRER_PROBLEM no DO_NOT_RETRY
    39 WRONG_CARD_FUNCTION yes TRY_LATER
    41 LOST_CARD no USE_ANOTHER_CARD
    43 STOLEN_CARD no USE_ANOTHER_CARD
    46 ACCOUNT_CLOSED no USE_ANOTHER_CARD
    51 INSUFFICIENT_FUNDS yes TRY_LATER
    52 WRONG_CARD_FUNCTION yes TRY_LATER
    53 WRONG_CARD_FUNCTION yes TRY_LATER
    54 EXPIRED_CARD no FIX_DATA
    55 INVALID_PIN yes FIX_DATA
    57 TRANSACTION_NOT_ALLOWED no USE_ANOTHER_CARD
    58 TERMINAL_NOT_ALLOWED no DO_NOT_RETRY
    59 SUSPECTED_FRAUD yes TRY_LATER
    61 LIMIT_EXCEEDED yes TRY_LATER
    62 CARD_BLOCKED yes TRY_LATER
    64 MONEY_LAUNDERING no DO_NOT_RETRY
    65 COUNT_EXCEEDED yes TRY_LATER
    74 INVALID_CARD no USE_ANOTHER_CARD
    75 PIN_TRIES_EXCEEDED yes TRY_LATER
    76 INVALID_REVERSAL no DO_NOT_RETRY
    78 CARD_NOT_UNLOCKED yes TRY_LATER
    81 INVALID_CARD no USE_ANOTHER_CARD
    82 INVALID_CARD no USE_ANOTHER_CARD
    86 INVALID_PIN yes FIX_DATA
    91 ISSUER_UNAVAILABLE yes TRY_LATER
    92 ISSUER_NOT_FOUND no USE_ANOTHER_CARD
    93 TRANSACTION_NOT_ALLOWED no USE_ANOTHER_CARD
    94 INVALID_REVERSAL no DO_NOT_RETRY
    96 SYSTEM_FAILURE yes TRY_LATER
    6P IDENTITY_CHECK no DO_NOT_RETRY
    B1 WRONG_CARD_FUNCTION yes TRY_LATER
    B2 WRONG_CARD_FUNCTION yes TRY_LATER
    N0 ISSUER_UNAVAILABLE yes TRY_LATER
    N3 CASH_UNAVAILABLE no DO_NOT_RETRY
    N4 LIMIT_EXCEEDED yes TRY_LATER
    N7 SECURITY_VIOLATION no FIX_DATA
    N8 INVALID_AMOUNT no FIX_DATA
    R0 RECURRING_STOPPED no DO_NOT_RETRY
    R1 RECURRING_STOPPED no DO_NOT_RETRY
    R2 PIN_NOT_ELIGIBLE no DO_NOT_RETRY
    R3 RECURRING_STOPPED no DO_NOT_RETRY
  `,
  MASTERCARD: `
    1 INVALID_CARD_NUMBER no FIX_DATA
    3 INVALID_MERCHANT no DO_NOT_RETRY
    4 CONFIRMED_FRAUD no USE_ANOTHER_CARD
    5 DO_NOT_HONOR yes TRY_LATER
    12 INVALID_INSTALLMENTS no FIX_DATA
    13 INVALID_AMOUNT no FIX_DATA
    14 INVALID_CARD_NUMBER no FIX_DATA
    15 ISSUER_NOT_FOUND no USE_ANOTHER_CARD
    25 INVALID_REVERSAL no DO_NOT_RETRY
    28 INVALID_REVERSAL no DO_NOT_RETRY
    30 ACQUIRER_PROBLEM no DO_NOT_RETRY
    41 LOST_CARD no USE_ANOTHER_CARD
    43 STOLEN_CARD no USE_ANOTHER_CARD
    51 INSUFFICIENT_FUNDS yes TRY_LATER
    54 EXPIRED_CARD no FIX_DATA
    55 INVALID_PIN yes FIX_DATA
    57 TRANSACTION_NOT_ALLOWED yes TRY_LATER
    58 TERMINAL_NOT_ALLOWED no DO_NOT_RETRY
    61 LIMIT_EXCEEDED yes TRY_LATER
    62 TRANSACTION_NOT_ALLOWED no USE_ANOTHER_CARD
    63 SECURITY_VIOLATION yes FIX_DATA
    65 COUNT_EXCEEDED yes TRY_LATER
    75 PIN_TRIES_EXCEEDED yes TRY_LATER
    79 LIFE_CYCLE no DO_NOT_RETRY
    82 POLICY no DO_NOT_RETRY
    83 SUSPECTED_FRAUD no DO_NOT_RETRY
    88 INVALID_CARD no USE_ANOTHER_CARD
    91 ISSUER_UNAVAILABLE yes TRY_LATER
    92 ISSUER_NOT_FOUND no USE_ANOTHER_CARD
    94 INVALID_REVERSAL no DO_NOT_RETRY
    96 SYSTEM_FAILURE yes TRY_LATER
  `,
  DINERS: `
    5 DO_NOT_HONOR yes TRY_LATER
    13 INVALID_AMOUNT no FIX_DATA
    14 INVALID_CARD_NUMBER no FIX_DATA
    19 ACQUIRER_PROBLEM no DO_NOT_RETRY
    41 LOST_CARD no USE_ANOTHER_CARD
    43 STOLEN_CARD no USE_ANOTHER_CARD
    46 ACCOUNT_CLOSED no USE_ANOTHER_CARD
    51 INSUFFICIENT_FUNDS yes TRY_LATER
    54 EXPIRED_CARD no FIX_DATA
    55 INVALID_PIN yes FIX_DATA
    57 TRANSACTION_NOT_ALLOWED no USE_ANOTHER_CARD
    61 LIMIT_EXCEEDED yes TRY_LATER
    65 COUNT_EXCEEDED yes TRY_LATER
    75 PIN_TRIES_EXCEEDED yes TRY_LATER
    78 CARD_NOT_UNLOCKED yes TRY_LATER
    91 ISSUER_UNAVAILABLE yes TRY_LATER
    96 SYSTEM_FAILURE yes TRY_LATER
  `,
  AMEX: `
    100 DO_NOT_HONOR yes TRY_LATER
    101 EXPIRED_CARD no FIX_DATA
    106 PIN_TRIES_EXCEEDED yes TRY_LATER
    109 INVALID_MERCHANT no DO_NOT_RETRY
    110 INVALID_AMOUNT no FIX_DATA
    115 INVALID_CARD no USE_ANOTHER_CARD
    116 INSUFFICIENT_FUNDS yes TRY_LATER
    117 INVALID_PIN yes FIX_DATA
    121 INSUFFICIENT_FUNDS yes TRY_LATER
    122 INVALID_CARD_NUMBER no FIX_DATA
    180 INVALID_CARD no USE_ANOTHER_CARD
    181 FORMAT_ERROR no FIX_DATA
    200 TRANSACTION_NOT_ALLOWED no USE_ANOTHER_CARD
    911 SYSTEM_FAILURE yes TRY_LATER
    912 ISSUER_UNAVAILABLE yes TRY_LATER
  `,
}

/** The acquirer's own codes, which mean the same for every brand. */
const OF_THE_ACQUIRER = `
  60 TRY_AGAIN yes TRY_LATER
  67 TRY_AGAIN yes TRY_LATER
  70 CARD_PROBLEM yes TRY_LATER
  77 CARD_CANCELED no USE_ANOTHER_CARD
  89 TRY_AGAIN yes TRY_LATER
  99 TIMED_OUT yes TRY_LATER
  126 EXPIRED_CARD no FIX_DATA
  127 INVALID_CARD_NUMBER no FIX_DATA
  128 INVALID_CARD_NUMBER no FIX_DATA
  177 INVALID_CARD_NUMBER no FIX_DATA
  213 INVALID_CARD_NUMBER no FIX_DATA
  999 TRY_AGAIN yes TRY_LATER
  AA TRY_AGAIN yes TRY_LATER
  AV TRY_AGAIN yes TRY_LATER
  BL LIMIT_EXCEEDED yes TRY_LATER
  BM INVALID_CARD_NUMBER no FIX_DATA
  BN CARD_BLOCKED no USE_ANOTHER_CARD
  BO TRY_AGAIN yes TRY_LATER
  BR ACCOUNT_CLOSED no USE_ANOTHER_CARD
  DM TRY_AGAIN yes TRY_LATER
  DS TRY_AGAIN yes TRY_LATER
  EB INVALID_INSTALLMENTS no FIX_DATA
  EE INVALID_INSTALLMENTS no FIX_DATA
`

const linesOf = (text: string) => text.trim().split(/\s*\n\s*/)
const codesOf = (brand: string) => linesOf(DECLINES[brand] ?? '').map((line) => line.split(' ')[0] ?? '')
const LISTED = Object.entries(DECLINES).flatMap(([brand, text]) =>
  linesOf(text).map((line) => `${brand} ${line}`),
)

/** One line of the table, as the service answers it. */
function described(brand: string, acquirerCode: string): string {
  const { code, retryable, advice } = describeDecline(brand, acquirerCode, '')
  return `${acquirerCode} ${code} ${retryable ? 'yes' : 'no'} ${advice}`
}

test('the table has as many codes as were published', () => {
  expect(LISTED).toHaveLength(151)
  expect(linesOf(OF_THE_ACQUIRER)).toHaveLength(23)
})

test.each(LISTED)('%s', (line) => {
  const [brand = '', code = ''] = line.split(' ')
  expect(`${brand} ${described(brand, code)}`).toBe(line)
  expect(`${brand} ${described(brand, `0${code}`)}`).toBe(line.replace(` ${code} `, ` 0${code} `))
})

test.each(linesOf(OF_THE_ACQUIRER))('the same for every brand without that code: %s', (line) => {
  const [code = ''] = line.split(' ')
  const brands = Object.keys(DECLINES).filter((brand) => !codesOf(brand).includes(code))
  expect(brands.length).toBeGreaterThan(3)
  for (const brand of brands) expect(described(brand, code)).toBe(line)
})

test('Hipercard has the codes of Mastercard', () => {
  for (const line of linesOf(DECLINES['MASTERCARD'] ?? '')) {
    expect(described('HIPERCARD', line.split(' ')[0] ?? '')).toBe(line)
  }
})

test('a brand does not have the codes of another', () => {
  const acquirer = linesOf(OF_THE_ACQUIRER).map((line) => line.split(' ')[0] ?? '')
  for (const brand of Object.keys(DECLINES)) {
    const foreign = Object.keys(DECLINES)
      .flatMap(codesOf)
      .filter((code) => !codesOf(brand).includes(code) && !acquirer.includes(code))
    for (const code of foreign)
      expect(described(brand, code)).toBe(`${code} GENERIC_DECLINE no USE_ANOTHER_CARD`)
  }
})

test('the decline of a payment is explained by the brand of its card', () => {
  const charge = pendingCharge(100)
  const [payment] = charge.payments
  const codeOf = (brand: string) => {
    const ofBrand = { ...charge, payments: [{ ...payment!, card: { ...payment!.card!, brand } }] }
    const declined = { result: 'declined', code: '12', adviceCode: '', reference: REFERENCE } as const
    return recordAuthorization(ofBrand, 0, declined, TERMS).charge.payments[0]?.decline?.code
  }
  expect([codeOf('VISA'), codeOf('MASTERCARD')]).toEqual(['FORMAT_ERROR', 'INVALID_INSTALLMENTS'])
})
