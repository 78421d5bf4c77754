import type { Network } from './token'

const PREFIXES: Record<Network, string> = { VISA: '489537', MASTERCARD: '520473' }
const NUMBERS = 10 ** 9
/** Has no common divisor with 10, so the first 10^9 sequence numbers all give different digits. */
const SPREAD = 387_420_489

/** Returns the token's own number, 16 digits. It is computed from its sequence number and never stored. */
export function tokenNumber(network: Network, sequence: number): string {
  const digits = Number((BigInt(sequence) * BigInt(SPREAD)) % BigInt(NUMBERS))
  const body = PREFIXES[network] + String(digits).padStart(9, '0')
  return body + String((10 - (luhnSum(`${body}0`) % 10)) % 10)
}

export function passesLuhn(number: string): boolean {
  return luhnSum(number) % 10 === 0
}

function luhnSum(number: string): number {
  return number
    .split('')
    .toReversed()
    .reduce((sum, digit, place) => {
      const value = Number(digit) * (place % 2 === 0 ? 1 : 2)
      return sum + (value > 9 ? value - 9 : value)
    }, 0)
}
