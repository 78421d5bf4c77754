import { holdsCardNumber, maskCardNumbersIn } from '@cofre/platform/card/card-number'

const LONG = 256 * 1024
const SHORT = LONG / 64

/** For a text 64 times as long, linear work takes 64 times as long, and quadratic work 4,096 times. */
test.each([
  ['digits between letters in one word', '111111111111g'],
  ['digits between letters a to f', '111111111111a'],
  ['single digits', '1 '],
  ['groups of four', '4111 1111 1111 1112 '],
  ['numbers of cards', '4111111111111111 '],
  ['dashes', '1-'],
  ['one piece', '1'],
  ['letters', 'a'],
  ['digits of another script', '\u0661\u0662 '],
  ['tracks', '%B1234567890123456789'],
  ['words of sixteen', '1234567890abcdef12345-'],
])('%s: the work grows with the length of the text, not with its square', (_, part) => {
  const least = (length: number) => {
    const text = part.repeat(Math.ceil(length / part.length))
    const once = () => {
      const from = process.cpuUsage()
      holdsCardNumber(text)
      const { user, system } = process.cpuUsage(from)
      return user + system
    }
    return Math.min(once(), once(), once())
  }
  least(SHORT)
  // Microseconds of this process; the floor covers times too short to compare.
  expect(least(LONG)).toBeLessThan(500 * Math.max(least(SHORT), 2_000))
})

test('a text is read once, however many numbers are known', () => {
  const text = '1 '.repeat(SHORT)
  const known = new Set(Array.from({ length: 20 }, (_, n) => String(6_370_360_000_000_000 + n)))
  const least = (...numbers: [] | [ReadonlySet<string>]) => {
    const once = () => {
      const from = process.cpuUsage()
      for (let n = 0; n < 20; n++) maskCardNumbersIn(text, ...numbers)
      const { user, system } = process.cpuUsage(from)
      return user + system
    }
    return Math.min(once(), once(), once())
  }
  least()
  expect(least(known)).toBeLessThan(8 * least())
})
