import { readSettings } from '@cofre/platform/service/settings'
import { isNumberOf, usableBrand } from '../src/brands/brand'
import { brandsSetting } from '../src/brands/brands-setting'

const read = (text?: string) =>
  readSettings({ VOUCHER_BRANDS: brandsSetting }, text === undefined ? {} : { VOUCHER_BRANDS: text })
    .voucherBrands
const BEN = {
  flow: 'CARD_NUMBER',
  dialect: 'vr',
  partner: 'ben',
  cardTypes: ['MEAL'],
  prefixes: ['636111'],
  lengths: [16],
}
const ANNOUNCED = { flow: 'CARD_NUMBER', cardTypes: ['FOOD'], availableFrom: '2027-01-31' }

test('without the setting, the brands are those that come with the service', () => {
  const brands = read()
  expect([...brands.keys()]).toEqual(['ALELO', 'VR', 'PLUXEE'])
  expect(usableBrand(brands, 'VR', '#')).toMatchObject({ dialect: 'vr', partner: 'vr' })
})

test('a deployment can have its own brands, and several can share a dialect', () => {
  const brands = read(JSON.stringify({ BEN, SWILE: ANNOUNCED }))
  expect([...brands.keys()]).toEqual(['BEN', 'SWILE'])
  expect(usableBrand(brands, 'BEN', '#')).toEqual({ name: 'BEN', ...BEN })
  expect(() => usableBrand(brands, 'SWILE', '#/cardBrand')).toThrow('supported from 2027-01-31 on')
  expect(() => usableBrand(brands, 'ALELO', '#/cardBrand')).toThrow('not supported')
})

test('a number belongs to a brand by its first digits and its length, whatever its check digit', () => {
  const brand = usableBrand(
    read(JSON.stringify({ BEN: { ...BEN, prefixes: ['6361', '5'], lengths: [16, 19] } })),
    'BEN',
    '#',
  )
  if (brand.flow !== 'CARD_NUMBER') throw new Error('a brand by card number')
  const is = (bin: string, length: number) => isNumberOf(brand, { bin, length })
  expect([is('636111', 16), is('599999', 19), is('636211', 16), is('636111', 17)]).toEqual([
    true,
    true,
    false,
    false,
  ])
})

const TICKET = {
  flow: 'REDIRECT',
  dialect: 'ticket',
  partner: 'ticket-merchant',
  holderPartner: 'ticket',
  cardTypes: ['MEAL'],
  identity: { partner: 'ticket-identity', issuer: 'https://sso.example', scope: 'cards', acrValues: 'a' },
}
const ticketWith = (places: object) => ({
  TICKET: { ...TICKET, identity: { ...TICKET.identity, ...places } },
})

test('the endpoints of an identity provider are discovered, or stand in the settings', () => {
  const authorizationEndpoint = 'https://sso.example/auth'
  for (const places of [
    {},
    { authorizationEndpoint },
    { authorizationEndpoint, paths: { token: '/token', revocation: null } },
  ])
    expect(usableBrand(read(JSON.stringify(ticketWith(places))), 'TICKET', '#')).toMatchObject({
      identity: places,
    })
})

test.each([
  [': is not JSON', '{'],
  [': Invalid input', []],
  [' at ben: must be a brand in upper case', { ben: BEN }],
  [' at BEN: Invalid input', { BEN: null }],
  [' at BEN.dialect', { BEN: { ...BEN, dialect: 'tricard' } }],
  [' at BEN.partner', { BEN: { ...BEN, partner: 'Ben!' } }],
  [' at BEN.cardTypes.0', { BEN: { ...BEN, cardTypes: ['GIFT'] } }],
  [' at BEN.cardTypes', { BEN: { ...BEN, cardTypes: [] } }],
  [' at BEN.prefixes.0: must be 1 to 6 digits', { BEN: { ...BEN, prefixes: ['6361111'] } }],
  [' at BEN.lengths.0', { BEN: { ...BEN, lengths: [20] } }],
  [' at BEN.flow', { BEN: { ...BEN, flow: 'QR' } }],
  [' at BEN: Unrecognized key: "prefix"', { BEN: { ...BEN, prefix: '6361' } }],
  [' at TICKET.identity.paths: need authorizationEndpoint', ticketWith({ paths: { token: '/token' } })],
  [
    ' at TICKET.identity.paths.token: must be a path',
    ticketWith({
      authorizationEndpoint: 'https://sso.example/auth',
      paths: { token: 'https://evil.example/' },
    }),
  ],
  [' at SWILE.availableFrom', { SWILE: { ...ANNOUNCED, availableFrom: 'soon' } }],
  [' at SWILE: Unrecognized key: "partner"', { SWILE: { ...ANNOUNCED, partner: 'swile' } }],
])('a bad setting is reported with its place%s', (where, value) => {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  expect(() => read(text)).toThrow(`VOUCHER_BRANDS is invalid${where}`)
})
