import { contrastOf } from '@cofre/platform/color'
import { warningsOf } from '../../src/catalog/themes/contrast'
import { DEFAULT_THEME, isColor } from '../../src/catalog/themes/theme'

// From the contrast checkers of the W3C and WebAIM.
test.each([
  ['#000000', '#FFFFFF', 21],
  ['#FFF', '#ffffff', 1],
  ['#777777', '#FFFFFF', 4.47],
  ['#767676', '#FFFFFF', 4.54],
  ['#0000FF', '#FFFFFF', 8.59],
  ['#F00', '#FFFFFF', 3.99],
])('%s on %s has the contrast %d, either way round', (one, other, contrast) => {
  expect(Math.abs(contrastOf(one, other) - contrast)).toBeLessThan(0.011)
  expect(contrastOf(other, one)).toBe(contrastOf(one, other))
})

test('text that many people can’t read has a warning, which shows how far it is from the limit', () => {
  const theme = { ...DEFAULT_THEME, headerText: '#777777', bodyText: '#F5F6F8' }
  expect(warningsOf(theme)).toEqual([
    {
      pointer: '#/colors/headerText',
      code: 'LOW_CONTRAST',
      detail: 'has a contrast of 4.47:1 on its background; below 4.5:1 many people cannot read it',
    },
    expect.objectContaining({ pointer: '#/colors/bodyText' }),
  ])
})

test('the default theme can be read', () => expect(warningsOf(DEFAULT_THEME)).toEqual([]))

test.each(['#1F4FD8', '#abc', '#ABCDEF'])('%s is a color', (text) => expect(isColor(text)).toBe(true))
test.each(['1F4FD8', '#12', '#12345', '#GGGGGG', 'red', '', '#1F4FD8;'])('%j is none', (text) =>
  expect(isColor(text)).toBe(false),
)
