import { holdsCardNumber, maskCardNumbersIn } from '@cofre/platform/card/card-number'
import { piecesOf } from '@cofre/platform/card/digit-pieces'
import { digitRunsIn } from '@cofre/platform/card/digit-runs'

const LONG = 256 * 1024
const longText = (part: string, length = LONG) => part.repeat(Math.ceil(length / part.length))

/** Texts made to cost much: each is one part, again and again. */
const PARTS: [what: string, part: string][] = [
  ['zeros', '0 '],
  ['first digits of cards', '4 '],
  ['groups of zeros', '0000 '],
  ['groups of a card', '4539 5787 '],
  ['digits between dashes and blanks', '4 - '],
  ['tabs', '4\t'],
  ['full-width digits', '\uff14'],
  ['full-width digits and blanks', '\uff14\u3000'],
  ['one piece', '4'],
  ['digits of a URL', '%34%35'],
  ['digits of HTML', '&#52;'],
  ['separators of many kinds', '4539-5787 6362.1486/'],
  ['numbers that are no card', '4111111111111112 '],
  ['digits between letters in one word', '111111111111g'],
  ['digits between letters a to f', '4a'],
  ['dashes', '1-'],
  ['groups of a UUID without a letter', '41111111-1111-'],
  ['beginnings of Pix numbers', 'E12345678 2'],
  ['letters', 'a'],
  ['signs that stand for several digits', '\u2152'],
  ['tracks', '%B1234567890123456789'],
  ['words of sixteen', '1234567890abcdef12345-'],
]

/** Each character is looked at a few times, and each digit's numbers are looked up once: no text costs more. */
test.each(PARTS)('%s: the search takes a few steps for each character', (_, part) => {
  const text = longText(part, LONG / 16)
  const looks = jest.spyOn(String.prototype, 'charCodeAt')
  for (const isDecoded of [false, true]) {
    looks.mockClear()
    const pieces = piecesOf(text, 3 * text.length, isDecoded)
    expect(looks.mock.calls.length).toBeLessThanOrEqual(8 * text.length)
    let asked = 0
    const lengthsAt = () => {
      asked += 1
      return 0
    }
    expect(digitRunsIn(pieces, { lengthsAt, knownAt: lengthsAt })).toEqual([])
    expect(asked).toBeLessThanOrEqual(2 * pieces.count)
    expect(pieces.count).toBeLessThanOrEqual(2 * text.length)
  }
  looks.mockRestore()
})

/** For a text 64 times as long, linear work takes 64 times as long, and quadratic work 4,096 times. */
test.each(PARTS)('%s: the work grows with the length of the text, not with its square', (_, part) => {
  const least = (length: number) => leastTime(() => holdsCardNumber(longText(part, length)))
  least(LONG / 64)
  // Microseconds of this process; the floor covers times too short to compare.
  expect(least(LONG)).toBeLessThan(500 * Math.max(least(LONG / 64), 2_000))
})

test('a text is read once, however many numbers are known', () => {
  const text = longText('1 ', LONG / 64)
  const known = new Set(Array.from({ length: 20 }, (_, n) => String(6_370_360_000_000_000 + n)))
  const least = (...numbers: [] | [ReadonlySet<string>]) =>
    leastTime(() => {
      for (let n = 0; n < 20; n++) maskCardNumbersIn(text, ...numbers)
    })
  least()
  expect(least(known)).toBeLessThan(8 * least())
})

/** The least of three times, in microseconds of CPU time of this process. */
function leastTime(run: () => void): number {
  const once = () => {
    const from = process.cpuUsage()
    run()
    const { user, system } = process.cpuUsage(from)
    return user + system
  }
  return Math.min(once(), once(), once())
}
