import { word, type Value } from '../words/value'

/** A link to where a payer is played. Nothing outside a sandbox. */
export function playedAt(url: string | undefined): Value {
  return url === undefined ? null : { address: url, text: word('Play the payer') }
}
