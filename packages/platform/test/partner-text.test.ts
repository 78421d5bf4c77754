import { cutTo, inAscii } from '../src/partner-text'

test.each([
  ['abc', 3, 'abc'],
  ['abcd', 3, 'abc'],
  ['ab🦜', 3, 'ab'],
  ['ab🦜c', 4, 'ab🦜'],
  ['Jose\u0301', 4, 'Jos'],
  ['a👨‍👩‍👧b', 6, 'a'],
  ['👨‍👩‍👧', 2, ''],
])('%s is cut to %i as %s', (text, max, cut) => {
  expect(cutTo(text, max)).toBe(cut)
})

test.each([
  ['João da Conceição', 'Joao da Conceicao'],
  ['Łukasz Đorđević', 'Lukasz Dordevic'],
  ['Ana 🦜 Souza', 'Ana Souza'],
  ['  Ana\nSouza ', 'Ana Souza'],
  ['🦜', ''],
  ['½ dúzia', '1/2 duzia'],
])('%s is %s in ASCII', (text, plain) => {
  expect(inAscii(text, 60)).toBe(plain)
})

test('a text in ASCII ends at its most characters, and not with a blank', () => {
  expect(inAscii('Łódź é longe', 5)).toBe('Lodz')
})
