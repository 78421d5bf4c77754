import { holderOnCard, plainName } from '../../src/cielo/holder-name'

test.each([
  ['Ana Conceição de Souza', 'Ana Conceicao de Souza'],
  ["  João D'Ávila-Neto 3º ", 'Joao D Avila Neto'],
  ['Maximiliano Bartholomeu Cavalcanti', 'Maximiliano Bartholomeu C'],
  ['3º Maximiliano Bartholomeu Cavalcanti', 'Maximiliano Bartholomeu C'],
  ['Ana Maria Gomes de Abreu Silva', 'Ana Maria Gomes de Abreu'],
  ['Łukasz Żółw', 'Lukasz Zolw'],
  ['Øystein Ærø', 'Oystein AEro'],
  ['Đặng Văn', 'Dang Van'],
  ['Þór Straße', 'Thor Strasse'],
  ['ß', 'ss'],
  ['ı', 'i'],
  ['李小龍', 'Li Xiao Long'],
  ['محمد علي', 'mHmd aaly'],
  ['رائد', 'ryd'],
  ['Дмитрий Иванов', 'Dmitriy Ivanov'],
  ['Дарья', 'Darya'],
  ['Ελένη', 'Eleni'],
  ['김철수', 'gimceolsu'],
  ['राम', 'raam'],
  ['Ａｎａ', 'Ana'],
  ['Ana \u{1F600} Souza', 'Ana Souza'],
  ['Jose\u0301', 'Jose'],
  ['\u{1F600}', ''],
  ['12345', ''],
  ['---', ''],
  ['\u200b', ''],
  ['\u0301', ''],
  ['', ''],
])('%s is written %s', (name, plain) => {
  expect(plainName(name)).toBe(plain)
})

test('a holder without letters is sent with the payer’s name, and both without with a neutral one', () => {
  expect(holderOnCard('Łukasz', 'Ana')).toBe('Lukasz')
  expect(holderOnCard('12345', '李小龍')).toBe('Li Xiao Long')
  expect(holderOnCard('---', '\u{1F600}')).toBe('CARDHOLDER')
})

test('of any text, only letters and single spaces between them are left, at most 25', () => {
  const point = (seed: number) => String.fromCodePoint((seed * 2_654_435_761) % 0x2_0000)
  for (let seed = 1; seed <= 20_000; seed++) {
    const text = [seed, seed + 7, seed + 13]
      .map(point)
      .join('')
      .replace(/\p{Cs}/gu, '')
    expect(holderOnCard(text, text)).toMatch(/^(?=.{1,25}$)[A-Za-z]+( [A-Za-z]+)*$/)
  }
})
