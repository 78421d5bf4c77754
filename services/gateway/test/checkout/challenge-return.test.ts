import { openBrowser, readable } from '../portal/browser'
import { startCheckout, type CheckoutSystem } from './checkout-system'

let system: CheckoutSystem
beforeAll(async () => {
  system = await startCheckout({
    ANONYMOUS_BURST: '1',
    ANONYMOUS_PER_SECOND: '1',
    TRUSTED_PROXIES: '1',
  })
})
afterAll(() => system.stop())

/** Sends a payer's browser back from the issuer, from an address. It sends a form, as some issuers do. */
function challenged() {
  const publicId = system.pages.add({ sellerId: system.sellerId })
  const page = `/checkout/${publicId}`
  const path = `${page}/three-d-secure/${'c'.repeat(22)}`
  const browser = openBrowser(system.url)
  const comeBack = (address: string, language = 'pt-BR') =>
    browser.post(path, {}, { 'x-forwarded-for': address, 'accept-language': language })
  return { page, path, comeBack }
}

/** Takes every place until the returned function is called. */
function fillHouse(): () => void {
  const { inFlight } = system.deps
  const taken: (() => void)[] = []
  try {
    for (;;) taken.push(inFlight.enter({ callsPartner: 'acquirer' }))
  } catch {
    return () => taken.forEach((leave) => leave())
  }
}

test('a payer who returns while every place is taken learns that, and may try again', async () => {
  const leave = fillHouse()
  const { page, path, comeBack } = challenged()
  const { status, headers, text } = await comeBack('192.0.2.1').finally(leave)
  expect([status, headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8'])
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  expect(readable(text)).toContain('Só um instante')
  expect(readable(text)).not.toContain('Nada foi cobrado')
  expect(text).toContain(`href="${path}"`)
  expect(await comeBack('192.0.2.2')).toMatchObject({ status: 303, location: page })
})

test('a payer whose address sends too much may try again too, in English if the browser prefers that', async () => {
  const { path, comeBack } = challenged()
  const answers = await Promise.all(Array.from({ length: 30 }, () => comeBack('192.0.2.3', 'en')))
  const refused = answers.find(({ status }) => status === 429)
  expect(refused?.headers.get('content-language')).toBe('en')
  const text = refused?.text ?? ''
  expect(readable(text)).toContain('Try again in a few seconds.')
  expect(text).toContain(`href="${path}"`)
})
