const CPF_WEIGHTS = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11]
const CNPJ_WEIGHTS = [2, 3, 4, 5, 6, 7, 8, 9]
const CPF = /^(\d{11}|\d{3}\.\d{3}\.\d{3}-\d{2})$/
const CNPJ = /^([\dA-Z]{12}\d{2}|[\dA-Z]{2}\.[\dA-Z]{3}\.[\dA-Z]{3}\/[\dA-Z]{4}-\d{2})$/

/** Returns a CPF or CNPJ, masked or not, as bare characters; undefined if its form or its check digits are wrong. */
export function parseDocument(text: string): string | undefined {
  const upper = text.trim().toUpperCase()
  const bare = upper.replace(/[./-]/g, '')
  if (CPF.test(upper)) return hasCheckDigits(bare, CPF_WEIGHTS) ? bare : undefined
  if (CNPJ.test(upper)) return hasCheckDigits(bare, CNPJ_WEIGHTS) ? bare : undefined
  return undefined
}

/**
 * Modulo 11, weights counted from the right (Receita Federal). A letter in a CNPJ has the value of its character code
 * less 48 (Instrução Normativa RFB 2.229/2024).
 */
function hasCheckDigits(document: string, weights: readonly number[]): boolean {
  if (/^(.)\1*$/.test(document)) return false
  const digitAfter = (body: string) => {
    const sum = Array.from(body)
      .reverse()
      .reduce((total, character, at) => {
        return total + (character.charCodeAt(0) - 48) * (weights[at % weights.length] ?? 0)
      }, 0)
    return sum % 11 < 2 ? 0 : 11 - (sum % 11)
  }
  const body = document.slice(0, -2)
  const first = digitAfter(body)
  return document.endsWith(`${first}${digitAfter(`${body}${first}`)}`)
}

/** Members of the API whose digits are never a card's, whatever they are. */
const TAX_NUMBER = /^#(?:.*\/(?:customer|holder))?\/(?:document|cpf|cnpj)$/
const EXTERNAL_REFERENCE = '#/externalReference'
const OUR_NUMBER = '#/ourNumber'
/** A bank's number of a boleto, or the bar code or typed line of Banco do Brasil: all are longer than a card number. */
const BOLETO = /^(?:\d{17}|0019\d{40}(?:\d{3})?)$/

/**
 * True for a number that the API asks for by the name of its member, at this pointer: the CPF or CNPJ of a customer or
 * holder, by its check digits, the caller's own number of an order, or the number of a boleto. A CNPJ has as many digits
 * as a Diners card.
 */
export function isAskedNumber(pointer: string, value: string): boolean {
  if (pointer === EXTERNAL_REFERENCE) return /^\d{1,16}$/.test(value)
  if (pointer === OUR_NUMBER) return BOLETO.test(value.replaceAll(/[ .-]/g, ''))
  return TAX_NUMBER.test(pointer) && parseDocument(value) !== undefined
}
