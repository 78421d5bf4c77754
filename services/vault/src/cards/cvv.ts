import { HiddenText } from './hidden-text'

/** A card verification value. */
export class Cvv extends HiddenText {
  readonly kind = 'cvv'

  constructor(digits: string) {
    if (!/^\d{3,4}$/.test(digits)) throw new Error('a CVV is 3 or 4 digits')
    super(digits)
  }
}
