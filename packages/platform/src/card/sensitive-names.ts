/** The text that stands in place of card data. */
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

/** True when the name of a member alone says that it holds card data, in any spelling: `security_code`, `CVV`. */
export function isSensitiveName(name: string): boolean {
  return SENSITIVE.has(plainName(name))
}

/** True when a text holds a sensitive name anywhere, in any spelling. It may find one where there is none. */
export function mayHoldSensitiveName(text: string): boolean {
  return ANYWHERE.test(plainName(text))
}

function plainName(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]/g, '')
}
