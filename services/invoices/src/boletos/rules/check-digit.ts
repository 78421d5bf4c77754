/**
 * Modulus 10 of the fields of the digitable line: weights 2 and 1 from the right, the digits of each product summed
 * (FEBRABAN; Itaú, Cobrança layout, annex 3).
 */
export function mod10(digits: string): number {
  const sum = fromRight(digits).reduce((total, digit, at) => {
    const product = digit * (at % 2 === 0 ? 2 : 1)
    return total + Math.floor(product / 10) + (product % 10)
  }, 0)
  return (10 - (sum % 10)) % 10
}

/** Modulus 11 of the barcode: weights 2 to 9 from the right; 0, 10 and 11 become 1 (Banco do Brasil, annex X). */
export function mod11(digits: string): number {
  const sum = fromRight(digits).reduce((total, digit, at) => total + digit * (2 + (at % 8)), 0)
  const digit = 11 - (sum % 11)
  return digit > 9 ? 1 : digit
}

function fromRight(digits: string): number[] {
  return Array.from(digits, Number).reverse()
}
