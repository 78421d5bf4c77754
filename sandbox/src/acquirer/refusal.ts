/** Cielo's own messages, including their mistakes. */
const MESSAGES = {
  0: 'Internal error',
  101: 'MerchantId is required',
  102: 'Payment Type is required',
  105: 'Customer Name is required',
  107: 'OrderId is invalid or does not exists',
  108: 'Amount must be greater or equal to zero',
  110: 'Invalid Payment Currency',
  114: 'The provided MerchantId is not in correct format',
  117: 'Credit Card Holder is required',
  118: 'Credit Card Number is required',
  119: 'At least one Payment is required',
  121: 'Customer is required',
  122: 'MerchantOrderId is required',
  123: 'Installments must be greater or equal to one',
  124: 'Credit Card is Required',
  125: 'Credit Card Expiration Date is required',
  126: 'Credit Card Expiration Date is invalid',
  128: 'Card Number length exceeded',
  130: 'Could not get Credit Card',
  131: 'MerchantKey is required',
  132: 'MerchantKey is invalid',
  146: 'SecurityCode length exceeded',
  147: 'Customer Address Street length exceeded',
  148: 'Customer Address Number length exceeded',
  149: 'Customer Address Complement length exceeded',
  150: 'Customer Address ZipCode length exceeded',
  151: 'Customer Address City length exceeded',
  152: 'Customer Address State length exceeded',
  153: 'Customer Address Country length exceeded',
  173: 'Payment method is not enabled',
  177: 'Card Number is invalid',
  182: 'Brand is required',
  184: 'Request could not be empty',
  185: 'Brand is not supported by selected provider',
  214: 'Credit Card Holder Must Have Only Letters',
  307: 'Transaction not found',
  308: 'Transaction not available to capture',
  309: 'Transaction not available to void',
  312: 'Transaction not available to refund',
} as const

export type RefusalCode = keyof typeof MESSAGES

/** The acquirer refuses the call itself: nothing was done. */
export class Refusal extends Error {
  readonly body: readonly { Code: RefusalCode; Message: string }[]

  constructor(
    readonly status: 400 | 401 | 404,
    ...codes: RefusalCode[]
  ) {
    super(`refused: ${codes.join(', ')}`)
    this.body = codes.map((code) => ({ Code: code, Message: MESSAGES[code] }))
  }
}
