import { callRepeatable, callRpc } from '@cofre/platform/grpc/client'
import { ThemeFields } from '@cofre/proto/invoices/v1/themes'
import { withKey } from './support/repeated'
import { newSeller, startInvoices, type TestInvoices } from './support/start-invoices'

let invoices: TestInvoices
beforeAll(async () => {
  invoices = await startInvoices()
})
afterAll(() => invoices.stop())

const GREEN = {
  primaryColor: '#0B7A4B',
  secondaryColor: '#5b6472',
  logoUrl: 'https://shop.example.com/logo.png',
  headerBackground: '#0B7A4B',
  headerText: '#FFF',
  bodyBackground: '#FFFFFF',
  bodyText: '#1A1C1F',
}
const get = (sellerId: number) => callRpc(invoices.themes, invoices.themes.getTheme, { sellerId })
const replace = (sellerId: number, fields: Partial<ThemeFields>) =>
  callRepeatable(invoices.themes, invoices.themes.replaceTheme, {
    sellerId,
    fields: ThemeFields.fromPartial(fields),
  })

test('a seller has the default theme until it sets its own; the theme of another seller is not touched', async () => {
  const [sellerId, other] = [newSeller(), newSeller()]
  const before = await get(sellerId)
  expect(before).toMatchObject({ fields: { logoUrl: '', headerBackground: '#FFFFFF' }, warnings: [] })
  const { response } = await replace(sellerId, GREEN)
  expect(response).toEqual({ fields: GREEN, warnings: [] })
  expect(await get(sellerId)).toEqual(response)
  expect(await get(other)).toEqual(before)
})

test('a theme is replaced as a whole: omitted fields get their defaults', async () => {
  const sellerId = newSeller()
  const standard = (await get(sellerId)).fields
  await replace(sellerId, GREEN)
  await replace(sellerId, { primaryColor: '#123456' })
  expect((await get(sellerId)).fields).toEqual({ ...standard, primaryColor: '#123456' })
})

test('colors that many people can’t read are accepted, with a warning each', async () => {
  const { response } = await replace(newSeller(), { headerText: '#FFFFFF', bodyText: '#EEEEEE' })
  expect(response.warnings.map(({ pointer, code }) => [pointer, code])).toEqual([
    ['#/colors/headerText', 'LOW_CONTRAST'],
    ['#/colors/bodyText', 'LOW_CONTRAST'],
  ])
})

test('a text that is no color is refused, and nothing is kept', async () => {
  const sellerId = newSeller()
  const before = await get(sellerId)
  const detail = 'must be a color: # and three or six hexadecimal digits'
  await expect(replace(sellerId, { bodyText: 'red' })).rejects.toMatchObject({
    reason: 'VALIDATION_FAILED',
    extra: { errors: [{ pointer: '#/bodyText', detail }] },
  })
  expect(await get(sellerId)).toEqual(before)
})

test('a repeat changes nothing; two at once leave one of them whole', async () => {
  const sellerId = newSeller()
  const first = await withKey('theme', () => replace(sellerId, GREEN))
  await replace(sellerId, { primaryColor: '#123456' })
  expect(await withKey('theme', () => replace(sellerId, GREEN))).toEqual({
    response: first.response,
    replayed: true,
  })
  expect((await get(sellerId)).fields?.primaryColor).toBe('#123456')
  const [one, other] = await Promise.all([
    replace(sellerId, GREEN),
    replace(sellerId, { primaryColor: '#000' }),
  ])
  expect([one.response, other.response]).toContainEqual(await get(sellerId))
})
