export type VoucherCard = { alelo: string; vr: string; outcome: string }

/** A number that fails the Luhn test: VR's numbers have no check digit. */
export const VR_WITHOUT_CHECK_DIGIT = '6370361234567891'

/** Any cardholder, expiry date and CVV are accepted with them. */
export const VOUCHER_CARDS: readonly VoucherCard[] = [
  { alelo: '5067229000000020', vr: '6370361234567860', outcome: 'approved' },
  { alelo: '5067229000000061', vr: VR_WITHOUT_CHECK_DIGIT, outcome: 'approved' },
  { alelo: '5067229000000012', vr: '6370361234567852', outcome: 'declined, 05 or 100: not authorized' },
  { alelo: '5067229000000053', vr: '6370361234567803', outcome: 'declined, 57 or 119: not allowed' },
  { alelo: '5067229000000004', vr: '6370361234567894', outcome: 'approved' },
  { alelo: '5067229000000095', vr: '6370361234567845', outcome: 'declined, 78 or 112: card not unlocked' },
  { alelo: '5067229000000046', vr: '6370361234567886', outcome: 'declined, 99 or 911: time out' },
  { alelo: '5067229000000087', vr: '6370361234567837', outcome: 'declined, 77 or 105: cancelled card' },
  {
    alelo: '5067229000000038',
    vr: '6370361234567878',
    outcome: 'declined, 70 or 118: problem with the card',
  },
  { alelo: '5067229000000079', vr: '6370361234567829', outcome: 'approved, but the answer is lost' },
]
