import { issuerOf, lengthsOf } from '@cofre/platform/card/card-brand'
import { faultOfCardNumber } from '@cofre/platform/card/card-number'
import { binTable, issuerIn, NO_ROWS, withCurrentBrand } from '../../src/bins/bin-table'

const NUMBER = '6506000000000000'

test('a row of the operator wins over the list of the program, and is no guess', () => {
  expect(issuerIn(NO_ROWS, NUMBER)).toMatchObject({ brand: 'DISCOVER', isGuess: true })
  const table = binTable([{ prefix: '650600', brand: 'ELO' }])
  expect(issuerIn(table, NUMBER)).toEqual({ brand: 'ELO', lengths: [16], isGuess: false })
  expect(issuerIn(table, '6506010000000000')).toEqual(issuerOf('6506010000000000'))
})

test('a longer row wins over a shorter one, from 2 to 8 digits', () => {
  const table = binTable([
    { prefix: '65', brand: 'HIPERCARD' },
    { prefix: '65060000', brand: 'JCB' },
    { prefix: '6506', brand: 'ELO' },
  ])
  const brandOf = (digits: string) => issuerIn(table, digits)?.brand
  expect(['6506000000000000', '6506000100000000', '6511000000000000', '65060'].map(brandOf)).toEqual([
    'JCB',
    'ELO',
    'HIPERCARD',
    'ELO',
  ])
  expect(brandOf('4111111111111111')).toBe('VISA')
})

test('a row gives a number the lengths of its brand', () => {
  const table = binTable([{ prefix: '361234', brand: 'ELO' }])
  const issuedBy = (digits: string) => issuerIn(table, digits)
  // The list of the program takes 14 and 16 digits there, Elo only 16.
  expect(faultOfCardNumber('36123400000004')).toBeUndefined()
  expect(faultOfCardNumber('36123400000004', issuedBy)).toBe('LENGTH')
  expect(lengthsOf('AMEX')).toEqual([15])
})

describe('a stored card', () => {
  const stored = { bin: '650600', lastFour: '0000', brand: 'DISCOVER', holderName: 'ANA' }
  const expiration = { expirationYear: 2049, expirationMonth: 12 }
  const card = { ...stored, ...expiration }

  test('has the brand that the table gives its six digits now', () => {
    expect(withCurrentBrand(NO_ROWS, card)).toEqual({ ...card, brandIsGuess: true })
    const table = binTable([{ prefix: '6506', brand: 'ELO' }])
    expect(withCurrentBrand(table, card)).toEqual({ ...card, brand: 'ELO' })
    const longer = binTable([
      { prefix: '650600', brand: 'ELO' },
      { prefix: '65060100', brand: 'JCB' },
    ])
    expect(withCurrentBrand(longer, card)).toEqual({ ...card, brand: 'ELO' })
    expect(withCurrentBrand(NO_ROWS, { ...card, bin: '650985' })).toEqual({
      ...card,
      bin: '650985',
      brand: 'ELO',
    })
  })

  test('keeps its brand where a row needs more digits than can be read', () => {
    const table = binTable([{ prefix: '65060012', brand: 'ELO' }])
    expect(withCurrentBrand(table, { ...card, brand: 'ELO' })).toEqual({ ...card, brand: 'ELO' })
    expect(withCurrentBrand(table, card)).toEqual({ ...card, brandIsGuess: true })
  })

  test('keeps its brand when no row and no list knows it any longer', () => {
    expect(withCurrentBrand(NO_ROWS, { ...card, bin: '987654', brand: 'ELO' })).toMatchObject({
      brand: 'ELO',
    })
  })
})
