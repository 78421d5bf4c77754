import { HiddenText } from './hidden-text'

/** A network's cryptogram for one payment. */
export class Cryptogram extends HiddenText {
  readonly kind = 'cryptogram'

  constructor(text: string) {
    if (!Cryptogram.isOne(text))
      throw new Error('a cryptogram is 28 characters of base64 or 40 hexadecimal digits')
    super(text)
  }

  /** 20 bytes, as base64 or hexadecimal. */
  static isOne(text: unknown): text is string {
    return typeof text === 'string' && /^([A-Za-z0-9+/]{27}=|[0-9A-Fa-f]{40})$/.test(text)
  }
}
