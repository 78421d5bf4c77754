/** What stands for card data that nothing may be shown of. */
export const HIDDEN = '***'

const SENSITIVE = new Set([
  'cardnumber',
  'cvv',
  'cvv2',
  'cvc',
  'cvc2',
  'securitycode',
  'cryptogram',
  'encryptedcard',
  'encryptedcvv',
])

/** Whether a member of this name holds card data by its name alone, however it is spelled: `security_code`, `CVV`. */
export function isSensitiveName(name: string): boolean {
  return SENSITIVE.has(name.toLowerCase().replace(/[^a-z0-9]/g, ''))
}
