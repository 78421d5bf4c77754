import { contrastOf } from '@cofre/platform/color'
import { drawn } from '@cofre/testing/random'
import { barsOf, groupedLine } from '../../src/payers/methods/boleto-part'
import { ENGLISH } from '../../src/payers/checkout/english'
import { installmentsOf } from '../../src/payers/checkout/installments'
import { paletteOf, themeCss } from '../../src/payers/checkout/palette'
import { PORTUGUESE } from '../../src/payers/checkout/portuguese'

const random = drawn('themes')
const color = () => `#${random.int(0, 0xffffff).toString(16).padStart(6, '0')}`

const anyTheme = () => ({
  primaryColor: color(),
  secondaryColor: color(),
  headerBackground: color(),
  headerText: color(),
  bodyBackground: color(),
  bodyText: color(),
})

test('text is readable and fields are visible with the colors of any theme', () => {
  for (let themes = 0; themes < 500; themes++) {
    const palette = paletteOf(anyTheme())
    const contrast = (text: string, ground: string) => contrastOf(palette[text] ?? '', palette[ground] ?? '')
    const pairs: [string, string][] = [
      ['ink', 'panel'],
      ['ink', 'soft'],
      ['quiet', 'panel'],
      ['mark', 'panel'],
      ['mark', 'mark-soft'],
      ['bad', 'bad-soft'],
      ['bad', 'panel'],
      ['good', 'panel'],
      ['ground-ink', 'ground'],
      ['ground-quiet', 'ground'],
      ['header-ink', 'header'],
      ['button-ink', 'button'],
    ]
    expect([palette, pairs.filter((pair) => contrast(...pair) < 4.5)]).toEqual([palette, []])
    expect(contrast('edge', 'panel')).toBeGreaterThanOrEqual(3)
    expect(contrast('button-edge', 'panel')).toBeGreaterThanOrEqual(3)
  }
})

test('a text color that is readable on the soft ground but hardly on the panel is replaced on both', () => {
  const theme = { ...anyTheme(), bodyBackground: '#c3012f', bodyText: '#04a8c0' }
  const { ink = '', panel = '', soft = '' } = paletteOf(theme)
  expect(contrastOf(ink, panel)).toBeGreaterThanOrEqual(4.5)
  expect(contrastOf(ink, soft)).toBeGreaterThanOrEqual(4.5)
})

test('a light theme has a dark version; a dark theme stays as it is', () => {
  expect(themeCss(undefined)).toMatch(
    /^:root{color-scheme:light;.*@media\(prefers-color-scheme:dark\){:root{/,
  )
  const dark = { bodyBackground: '#101010', bodyText: '#EEEEEE' }
  expect(themeCss(dark as Parameters<typeof themeCss>[0])).toMatch(/^:root{color-scheme:dark;[^@]*$/)
})

test.each([1, 2, 11, 9_980, 99_999_999_999])('the installments of %i cents add up', (amount) => {
  const ways = installmentsOf(amount, 12)
  expect(ways.map(({ count }) => count)).toEqual(
    Array.from({ length: Math.min(12, amount) }, (_, at) => at + 1),
  )
  for (const { count, each, first } of ways) {
    expect(first + each * (count - 1)).toBe(amount)
    expect([each >= 1, first >= each, first - each < count]).toEqual([true, true, true])
  }
})

test('an amount of zero has one way to be paid', () => {
  expect(installmentsOf(0, 12)).toEqual([{ count: 1, each: 0, first: 0 }])
})

test('a barcode has the bars of Interleaved 2 of 5', () => {
  // Start, the pair 1 and 2, stop: two digits of five elements each, two of them wide.
  expect(barsOf('12')).toEqual({
    width: 4 + 18 + 5,
    path: 'M0 0h1v1h-1zM2 0h1v1h-1zM4 0h3v1h-3zM8 0h1v1h-1zM12 0h1v1h-1zM14 0h1v1h-1zM16 0h3v1h-3zM22 0h3v1h-3zM26 0h1v1h-1z',
  })
})

test('a digitable line is grouped as it is printed; other text stays as it is', () => {
  expect(groupedLine('00190500954014481606906809350314337370000000100')).toBe(
    '00190.50095 40144.816069 06809.350314 3 37370000000100',
  )
  expect(groupedLine('0019')).toBe('0019')
})

test('both languages have all texts', () => {
  const names = (value: unknown): unknown =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).map(([name, held]) => [name, names(held)])
      : typeof value
  const empty = (value: unknown): boolean =>
    typeof value === 'object' && value !== null ? Object.values(value).some(empty) : value === ''
  expect(names(ENGLISH)).toEqual(names(PORTUGUESE))
  expect([empty(ENGLISH), empty(PORTUGUESE)]).toEqual([false, false])
})
