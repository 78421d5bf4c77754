export type TestCard = { brand: string; number: string; outcome: string }

/** Every number passes Luhn. Any cardholder, expiry date and CVV are accepted with it. */
export const TEST_CARDS: readonly TestCard[] = [
  { brand: 'Visa', number: '4111111111111160', outcome: 'approved' },
  { brand: 'Visa', number: '4111111111111111', outcome: 'approved' },
  { brand: 'Visa', number: '4111111111111152', outcome: 'declined, 05: not authorized' },
  { brand: 'Visa', number: '4111111111111103', outcome: 'declined, 57: not allowed' },
  { brand: 'Visa', number: '4111111111111194', outcome: 'approved' },
  { brand: 'Visa', number: '4111111111111145', outcome: 'declined, 78: blocked card' },
  { brand: 'Visa', number: '4111111111111186', outcome: 'declined, 99: time out' },
  { brand: 'Visa', number: '4111111111111137', outcome: 'declined, 77: cancelled card' },
  { brand: 'Visa', number: '4111111111111178', outcome: 'declined, 70: problem with the card' },
  { brand: 'Visa', number: '4111111111111129', outcome: 'approved, but the answer is lost' },
  { brand: 'Mastercard', number: '5555555555554444', outcome: 'approved' },
  { brand: 'Mastercard', number: '5555555555554402', outcome: 'declined, 05: not authorized' },
  { brand: 'Elo', number: '6505510000000070', outcome: 'approved' },
  { brand: 'Elo', number: '6505510000000088', outcome: 'declined, 70: problem with the card' },
]

/** Returns the digits in groups of four, as on the card. */
export function groupedNumber(number: string): string {
  return number.replace(/\d{4}(?=\d)/g, '$& ')
}
