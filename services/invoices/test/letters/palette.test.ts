import { contrastOf } from '@cofre/platform/color'
import { letterOf } from '../../src/letters/letter'
import { paletteOf } from '../../src/letters/palette'
import { DEFAULT_THEME } from '../../src/catalog/themes/theme'
import { factsWith } from '../support/letters'

const GREEN = {
  primaryColor: '#0B7A4B',
  secondaryColor: '#5B6472',
  logoUrl: null,
  headerBackground: '#0A5',
  headerText: '#FFF',
  bodyBackground: '#FFFDF7',
  bodyText: '#2A1C1F',
}

test('a letter has the colors of its seller', () => {
  const { html } = letterOf(factsWith({ theme: GREEN }))
  for (const color of Object.values(GREEN).filter((each) => each !== null)) expect(html).toContain(color)
})

// A yellow and a dark primary color; secondary colors that are unreadable on their background.
test.each([
  ['#FFD400', '#F5F6F8', '#F5F6F8'],
  ['#111', '#EEE', '#FFFFFF'],
  ['#1F4FD8', '#5B6472', '#F5F6F8'],
])('the button in %s and small text in %s can be read', (primaryColor, secondaryColor, bodyBackground) => {
  const { button, muted, background } = paletteOf({
    ...DEFAULT_THEME,
    primaryColor,
    secondaryColor,
    bodyBackground,
  })
  expect(contrastOf(button.text, button.background)).toBeGreaterThanOrEqual(4.5)
  expect(contrastOf(muted, background)).toBeGreaterThanOrEqual(4.5)
})
