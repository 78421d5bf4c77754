import { inspect } from 'node:util'
import { maskCardNumber } from '@cofre/platform/card/card-number'

/** A primary account number, 12 to 19 digits. It prints as its last four; only `reveal` returns all digits. */
export class Pan {
  readonly #digits: string

  constructor(digits: string) {
    if (!/^\d{12,19}$/.test(digits)) throw new Error('a card number is 12 to 19 digits')
    this.#digits = digits
  }

  reveal(): string {
    return this.#digits
  }

  /** First six digits. */
  get bin(): string {
    return this.#digits.slice(0, 6)
  }

  get lastFour(): string {
    return this.#digits.slice(-4)
  }

  /** First six and last four: the most that PCI DSS 3.4 allows to be shown. */
  get masked(): string {
    return maskCardNumber(this.#digits)
  }

  toString(): string {
    return `•••• ${this.lastFour}`
  }

  toJSON(): string {
    return this.toString()
  }

  [inspect.custom](): string {
    return this.toString()
  }
}
