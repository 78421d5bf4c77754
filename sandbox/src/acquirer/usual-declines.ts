/** The production (ABECS) codes that issuers answer most often. The page offers them; any other can be typed. */
export const USUAL_DECLINES: readonly { returnCode: string; meaning: string }[] = [
  { returnCode: '51', meaning: 'insufficient funds' },
  { returnCode: '05', meaning: 'do not honor' },
  { returnCode: '54', meaning: 'expired card' },
  { returnCode: '14', meaning: 'invalid card number' },
  { returnCode: '57', meaning: 'transaction not allowed' },
  { returnCode: '59', meaning: 'suspected fraud' },
  { returnCode: '61', meaning: 'limit exceeded' },
  { returnCode: '65', meaning: 'too many uses' },
  { returnCode: '41', meaning: 'lost card' },
  { returnCode: '43', meaning: 'stolen card' },
  { returnCode: '46', meaning: 'account closed' },
  { returnCode: '91', meaning: 'issuer not available' },
  { returnCode: '96', meaning: 'system failure' },
]
