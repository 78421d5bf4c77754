import { eventually } from '@cofre/testing/testing'
import { describeInChromium, faultsOf } from '../chromium'
import { INVOICES, invoiceOf, newInvoice, newShop, read, readInvoice, write, type Shop } from '../shop'
import { cardEndingIn, startSystem, typedCard, type System } from '../system'
import { go, follow, openPortal, press, type Portal } from './portal'

describeInChromium('a shop’s people work in the portal', () => {
  let system: System
  let portal: Portal
  let shop: Shop
  beforeAll(async () => {
    system = await startSystem(undefined, {
      adapt: (name, settings) => (name === 'orders' ? { ...settings, DISPUTES_EVERY_MS: '1000' } : settings),
    })
    shop = await newShop(system)
    portal = await openPortal(system)
  })
  afterAll(() => portal.close())

  /** An invoice that a card has paid. */
  async function paidByCard(): Promise<{ invoiceId: number; chargeId: number; tid: string }> {
    const { id: invoiceId } = await newInvoice(system, invoiceOf(shop))
    const card = typedCard(cardEndingIn(1))
    const { body } = await write(system, 'POST', `${INVOICES}/${invoiceId}/credit-card/pay`, {
      body: { card },
    })
    const [{ chargeId }] = body.transactions
    const { body: charge } = await read(system, `/api/v2/charges/${chargeId}`)
    return { invoiceId, chargeId, tid: charge.payments[0].acquirer.tid }
  }

  test('a support clerk finds a payment and refunds a part of it, and contests a dispute with a file', async () => {
    const { chargeId, tid } = await paidByCard()
    const clerk = await portal.newPerson('SUPPORT')
    await clerk.keyboard.press('/')
    await clerk.keyboard.type(tid)
    await clerk.keyboard.press('Enter')
    await follow(clerk, String(chargeId))
    await follow(clerk, 'Refund the charge')
    await clerk.locator('#amount').fill('10,50')
    await clerk.locator('#reason').fill('Um item veio quebrado.')
    await press(clerk, 'Refund the charge')
    await clerk.getByRole('status').waitFor()
    await eventually(async () => {
      const { body } = await read(system, `/api/v2/charges/${chargeId}`)
      expect([body.status, body.refundedAmount]).toEqual(['PARTIALLY_REFUNDED', 1_050])
    })

    const opened = await system.sandbox('POST', '/acquirer/chargebacks', { tid })
    expect(opened).toHaveProperty('idChargeback')
    const dispute = await eventually(async () => {
      const { body } = await read(system, `/api/v2/disputes?chargeId=${chargeId}`)
      expect(body.content).toHaveLength(1)
      return body.content[0]
    })
    await go(clerk, portal, `/disputes/${dispute.id}`)
    await follow(clerk, 'Defend the sale')
    await clerk.locator('#reason').fill('Entregue e assinado por Ana.')
    const buffer = Buffer.concat([Buffer.from('%PDF-1.4\n'), Buffer.alloc(100_000, 7)])
    await clerk.locator('#file').setInputFiles({ name: 'entrega.pdf', mimeType: 'application/pdf', buffer })
    await press(clerk, 'Defend the sale')
    await clerk.getByRole('status').waitFor()
    await eventually(async () => {
      const { body } = await read(system, `/api/v2/disputes/${dispute.id}`)
      expect([body.status, body.evidence?.fileName]).toEqual(['UNDER_REVIEW', 'entrega.pdf'])
    })
    const refused = await clerk.goto(`${portal.url}/settings/people`)
    expect(refused?.status()).toBe(403)
  })

  test('a bookkeeper has an invoice take a receipt that is one cent short, and exports the month', async () => {
    const { id: invoiceId } = await newInvoice(system, invoiceOf(shop))
    const { body: boleto } = await write(system, 'POST', `${INVOICES}/${invoiceId}/boleto`)
    const invoice = await readInvoice(system, invoiceId)
    await system.sandbox('POST', `/boletos/${boleto.digitableLine}/pay`, {
      amountInCents: invoice.amountInCents - 1,
    })
    await eventually(async () => {
      const { body } = await read(system, `${INVOICES}/unexpected-receipts?resolved=false`)
      expect(body.content.some((each: { invoiceId: number }) => each.invoiceId === invoiceId)).toBe(true)
    })
    const bookkeeper = await portal.newPerson('BOOKKEEPER')
    await go(bookkeeper, portal, '/receipts?resolved=false')
    await bookkeeper.locator('tbody a').first().click()
    await follow(bookkeeper, 'Apply to an invoice')
    await bookkeeper.locator('[name=writeOffRest]').check()
    await press(bookkeeper, 'Apply to an invoice')
    await bookkeeper.getByRole('status').waitFor()
    expect((await readInvoice(system, invoiceId)).status).toBe('PAID')
    await go(bookkeeper, portal, '/movements')
    const [download] = await Promise.all([bookkeeper.waitForEvent('download'), follow(bookkeeper, /CSV/)])
    expect(download.suggestedFilename()).toMatch(/\.csv$/)
  })

  test('every page of a thing and every form is free of faults, in Portuguese', async () => {
    const { invoiceId, chargeId } = await paidByCard()
    const { id: openId } = await newInvoice(system, invoiceOf(shop))
    const page = await portal.owner('pt-BR')
    const faults: string[] = []
    const paths = [
      '',
      '/reports',
      '/reports?by=month',
      '/charges',
      `/charges/${chargeId}`,
      `/charges/${chargeId}/refund`,
      '/invoices',
      `/invoices/${invoiceId}`,
      `/invoices/${openId}/record-payment`,
      `/invoices/${openId}/void`,
      '/recurring',
      '/customers',
      `/customers/${shop.customerId}`,
      '/receipts',
      '/disputes',
      '/vouchers',
      '/movements',
      '/search?q=Ana',
      '/settings/people',
      '/settings/audit',
    ]
    for (const path of paths) {
      await go(page, portal, path)
      expect(await page.locator('html').getAttribute('lang')).toBe('pt-BR')
      faults.push(...(await faultsOf(page, `portal${path.replaceAll(/\W/g, '-')}`)))
    }
    expect(faults).toEqual([])
  })
})
