import { issuedRanges } from '@cofre/platform/card/card-brand'
import { brandRanges } from '../../src/payers/checkout/brand-ranges'

test('the operator’s prefixes stand before the list of the program, the longest first', () => {
  const ranges = brandRanges([
    { prefix: '65', brand: 'DISCOVER' },
    { prefix: '65003412', brand: 'JCB' },
    { prefix: '650034', brand: 'ELO' },
  ])
  expect(ranges.slice(0, 3)).toEqual([
    { brand: 'JCB', ranges: [[65_003_412, 65_003_412]] },
    { brand: 'ELO', ranges: [[65_003_400, 65_003_499]] },
    { brand: 'DISCOVER', ranges: [[65_000_000, 65_999_999]] },
  ])
  expect(ranges).toHaveLength(3 + issuedRanges().length)
})

test('a range of the program covers whole prefixes of eight digits', () => {
  const visa = brandRanges([]).find(({ brand }) => brand === 'VISA')
  expect(visa?.ranges).toEqual([[40_000_000, 49_999_999]])
})
