import { maskCardNumbersIn } from '../../src/card/card-number'
import { piecesOf } from '../../src/card/digit-pieces'

test.each([
  ['a hash of 20 characters', '4111111111111111fab9'],
  ['a hash that begins with letters', 'fab4111111111111111c9'],
  ['a UUID with groups of a card', 'abcdef12-4111-1111-1111-1111aaaaaaaa'],
  ['a UUID with one letter, in its last group', '12345678-4111-1111-1111-1111a1111111'],
  ['a UUID with one letter, in its first group', '1234567a-4111-1111-1111-111111111111'],
  ['a UUID in capitals', 'ABCDEF12-4111-1111-1111-1111AAAAAAAA'],
  ['a Pix payment', 'E60746938202601151230Z1y2X3w4V5u'],
  ['a Pix payment behind letters', 'pixE60746938202601151230Z1y2X3w4V5u'],
  ['a Pix return', 'D60746968202612312359Z1y2X3w4V5u'],
])('%s stays as it is', (_, text) => {
  expect(maskCardNumbersIn(text)).toBe(text)
})

test.each([
  ['a short word behind others', 'the words before it: a1b4111111111111111'],
  ['a UUID with a short last group', 'abcdef12-4111-1111-1111-1111aaaaaaa'],
  ['a hash of 19 characters', '4111111111111111ab9'],
  ['a Pix payment that is too short', 'E60746938202601151230Z1y2X3w4V5'],
  ['a Pix payment that is too long', 'E60746938202601151230Z1y2X3w4V5u6'],
  ['another letter before the digits of a Pix payment', 'F60746938202601151230Z1y2X3w4V5u'],
  ['groups of digits as long as those of a UUID', '12345678-4111-1111-1111-111111111111 4111111111111111'],
])('%s is no id', (_, text) => {
  expect(maskCardNumbersIn(text)).not.toBe(text)
})

test.each(['4a', '111111111111g', 'abcdef12', '1-', 'a1b2-'])(
  'each character of %s, however often it stands there, is looked at a few times',
  (part) => {
    const text = part.repeat(1_000)
    const looks = jest.spyOn(String.prototype, 'charCodeAt')
    piecesOf(text, text.length, false)
    const count = looks.mock.calls.length
    looks.mockRestore()
    expect(count).toBeLessThanOrEqual(8 * text.length)
  },
)
