import { bitOf } from './first-digits'
import type { Digits } from './luhn'

/** Returns the lengths of the known numbers that begin at a digit, as bits. */
export type KnownNumbers = (digits: Digits, first: number) => number

/** A digit of known numbers: what may follow it, and whether a number ends with it. */
type Node = { next: (Node | undefined)[]; isEnd?: true }

/** Prepares a search for many numbers at once: each place of a text costs as many steps as one number has digits. */
export function knownNumbers(numbers: ReadonlySet<string>): KnownNumbers {
  const root: Node = { next: [] }
  for (const number of numbers) {
    let node = root
    for (const digit of number) node = node.next[Number(digit)] ??= { next: [] }
    node.isEnd = true
  }
  return (digits, first) => {
    let lengths = 0
    let node: Node | undefined = root
    for (let length = 0; node; length++) {
      if (node.isEnd) lengths |= bitOf(length)
      node = node.next[digits[first + length] ?? 0]
    }
    return lengths
  }
}
