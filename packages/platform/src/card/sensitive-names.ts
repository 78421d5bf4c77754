/** What stands for card data that nothing may be shown of. */
export const HIDDEN = '***'

/** Names of card data, in lower case and without punctuation. */
const SENSITIVE_NAMES = [
  'cardnumber',
  'cvv',
  'cvv2',
  'cvc',
  'cvc2',
  'securitycode',
  'cryptogram',
  'encryptedcard',
  'encryptedcvv',
]
const SENSITIVE = new Set(SENSITIVE_NAMES)
const ANYWHERE = new RegExp(SENSITIVE_NAMES.join('|'))

/** Whether a member of this name holds card data by its name alone, however it is spelled: `security_code`, `CVV`. */
export function isSensitiveName(name: string): boolean {
  return SENSITIVE.has(plainName(name))
}

/** Whether a text holds such a name anywhere, in any spelling; it may find one where there is none. */
export function mayHoldSensitiveName(text: string): boolean {
  return ANYWHERE.test(plainName(text))
}

function plainName(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]/g, '')
}
