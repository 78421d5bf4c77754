import { inspect } from 'node:util'

/** A card verification value. It lives in memory and in sealed handles, is never stored, and prints as stars. */
export class Cvv {
  readonly #digits: string

  constructor(digits: string) {
    if (!/^\d{3,4}$/.test(digits)) throw new Error('a CVV is 3 or 4 digits')
    this.#digits = digits
  }

  reveal(): string {
    return this.#digits
  }

  toString(): string {
    return '***'
  }

  toJSON(): string {
    return this.toString()
  }

  [inspect.custom](): string {
    return this.toString()
  }
}
