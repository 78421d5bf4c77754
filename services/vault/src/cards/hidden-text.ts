import { inspect } from 'node:util'

/** A text that lives in memory and in sealed handles, is never stored, and prints as stars. */
export abstract class HiddenText {
  /** Keeps the compiler from taking one kind for another. */
  abstract readonly kind: string
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  reveal(): string {
    return this.#text
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
