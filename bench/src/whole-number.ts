import { InvalidArgumentError } from 'commander'

/** Reads the number of an option. */
export function wholeNumber(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value) || value < 1)
    throw new InvalidArgumentError('must be a whole number from 1')
  return value
}
