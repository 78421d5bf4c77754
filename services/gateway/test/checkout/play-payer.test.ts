import { AcceptedMethod, PaymentMethod } from '@cofre/proto/invoices/v1/invoices'
import { BOLETO_LINE, boletoOf } from '@cofre/testing/stand-ins/checkout/payment-pages'
import { COPY_AND_PASTE, pixOf } from '@cofre/testing/stand-ins/invoices/pix'
import { openBrowser } from '../portal/browser'
import { startCheckout, type CheckoutSystem } from './checkout-system'

const SANDBOX = 'http://127.0.0.1:8090'
let system: CheckoutSystem
afterEach(() => system.stop())

async function page(settings: Record<string, string>): Promise<string> {
  system = await startCheckout(settings)
  const acceptedMethods = [PaymentMethod.BOLETO, PaymentMethod.PIX].map((method) =>
    AcceptedMethod.fromPartial({ method }),
  )
  const asked = { boleto: boletoOf(10_000), pix: pixOf({}) }
  const publicId = system.pages.add({ sellerId: system.sellerId, acceptedMethods }, asked)
  return (await openBrowser(system.url).get(`/checkout/${publicId}`)).text
}

test('beside a sandbox, the page of an open boleto and Pix charge leads to where their payer is played', async () => {
  const text = await page({ SANDBOX_URL: SANDBOX })
  expect(text).toContain(`href="${SANDBOX}/boletos/pay?line=${BOLETO_LINE}"`)
  const code = new URLSearchParams({ copyAndPaste: COPY_AND_PASTE }).toString()
  expect(text).toContain(`href="${SANDBOX}/pix/pay?${code}"`)
  expect(text).toContain('Sandbox: fazer o papel do pagador')
})

test('without a sandbox, no page leads to a payer', async () => {
  expect(await page({})).not.toContain('papel do pagador')
})
