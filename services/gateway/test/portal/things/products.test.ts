import { ProductMethod } from '@cofre/proto/invoices/v1/products'
import { openBrowser, readable, type Browser } from '../browser'
import { PASSWORD, startPortal, type PortalSystem } from '../portal-system'

let system: PortalSystem
let browser: Browser
beforeAll(async () => {
  system = await startPortal()
  const { email } = await system.makeSeller()
  browser = openBrowser(system.url)
  await browser.signIn(email, PASSWORD)
})
afterAll(() => system.stop())

const MUG = {
  name: 'Caneca',
  value: '49,90',
  description: 'Branca, 300 ml.',
  active: 'true',
  methods: ['CREDIT_CARD', 'PIX'],
  maxInstallments: '3',
  feePassThrough: 'true',
  softDescriptor: 'LOJA',
  affiliateId: '7',
}

const MUG_METHODS = [ProductMethod.CREDIT_CARD, ProductMethod.PIX]

async function newProduct(fields: Record<string, string | string[]> = MUG): Promise<string> {
  const { status, location = '' } = await browser.submit('/portal/products/new', fields)
  expect([status, location]).toEqual([303, expect.stringMatching(/^\/portal\/products\/\d+$/)])
  return location
}

const kept = (path: string) => system.behind.invoices.products.get(Number(path.split('/').at(-1)))

test('a product is made with all its fields, and its page has the link, its picture and what it sold', async () => {
  const path = await newProduct()
  expect(kept(path)?.fields).toMatchObject({
    name: 'Caneca',
    value: 4_990,
    active: true,
    methods: MUG_METHODS,
    maxInstallments: 3,
    feePassThrough: true,
    softDescriptor: 'LOJA',
    affiliateId: 7,
  })
  const { text } = await browser.get(path)
  const url = /readonly value="([^"]+)"/.exec(text)?.[1] ?? ''
  expect(url).toMatch(/\/buy\/[\w-]{22}$/)
  expect(text).toContain(`src="${url}.svg"`)
  expect(text).toContain(`href="/portal/invoices?paymentLinkProductId=${path.split('/').at(-1)}"`)
  expect(readable(text)).toMatch(/Sales 2 Sold amount R\$ 99,80/)
})

test('an edit shows what is there, changes what was typed and keeps what the form does not show', async () => {
  const path = await newProduct()
  const product = kept(path)
  Object.assign(product?.fields ?? {}, { themeId: 5 })
  const { text } = await browser.get(`${path}/edit`)
  for (const value of ['value="49,90"', 'value="PIX" checked', 'value="LOJA"', 'value="3"']) {
    expect(text).toContain(value)
  }
  const { active: _active, softDescriptor: _text, ...rest } = MUG
  expect((await browser.submit(`${path}/edit`, { ...rest, value: '59,90' })).status).toBe(303)
  expect(kept(path)).toMatchObject({
    linkToken: product?.linkToken,
    fields: { value: 5_990, active: false, softDescriptor: '', themeId: 5, methods: MUG_METHODS },
  })
  expect(readable((await browser.get(path)).text)).toContain('Closed link')
})

test.each([
  ['maxInstallments', '13'],
  ['value', 'much'],
  ['name', ''],
])('an edit with %s %j is refused there', async (name, value) => {
  const path = await newProduct()
  const { status, text } = await browser.submit(`${path}/edit`, { ...MUG, [name]: value })
  expect([status, text.includes(`id="${name}-fault"`)]).toEqual([422, true])
})

test('a seller reads what keeps the link from being paid', async () => {
  const path = await newProduct()
  const product = kept(path)
  const warned = (...codes: [code: string, pointer: string][]) => {
    const warnings = codes.map(([code, pointer]) => ({ code, pointer, detail: 'x' }))
    Object.assign(product ?? {}, { warnings })
    return browser.get(path).then(({ text }) => readable(text))
  }
  const pix = ['METHOD_UNAVAILABLE', '#/methods/1'] as [string, string]
  expect(await warned(pix)).toContain('It does not offer Pix: you have no account for it.')
  expect(await warned(pix, ['NO_METHOD', '#/methods'])).toContain('Nobody can pay')
  expect(await warned(['NO_CARD_FEES', '#/feePassThrough'])).toContain('No card fees are set up')
})

test('a product that has no link says why', async () => {
  const path = await newProduct()
  Object.assign(kept(path) ?? {}, { linkToken: '' })
  expect(readable((await browser.get(path)).text)).toContain('Only a product that is paid once')
})
