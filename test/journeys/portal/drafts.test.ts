import { addDays, dayOf } from '@cofre/platform/calendar-day'
import { eventually } from '@cofre/testing/testing'
import type { Page } from 'playwright-core'
import { describeInChromium, faultsOf, openWindow } from '../chromium'
import { invoiceOf, newInvoice, newShop, readInvoice, type Shop } from '../shop'
import { cardEndingIn, startSystem, type System } from '../system'
import { follow, go, openPortal, press, type Portal } from './portal'

describeInChromium('an owner bills a customer in the portal', () => {
  let system: System
  let portal: Portal
  let shop: Shop
  beforeAll(async () => {
    system = await startSystem()
    shop = await newShop(system)
    portal = await openPortal(system)
  })
  afterAll(() => portal.close())

  const field = (name: string) => `[name="${name}"]`
  const sums = (page: Page) => page.locator('#sums').innerText()
  const idOf = (page: Page) => Number(/\/invoices\/(\d+)/.exec(page.url())?.[1])

  /** Types an item, and waits for the total that the server shows. */
  async function typeItem(page: Page, row: number, quantity: string, total: RegExp) {
    await page.locator(field(`items.${row}.productId`)).selectOption(String(shop.productId))
    await page.locator(field(`items.${row}.quantity`)).fill(quantity)
    await eventually(async () => expect(await sums(page)).toMatch(total))
  }

  async function createDraft(owner: Page): Promise<void> {
    await go(owner, portal, '/invoices/new?document=12345678909')
    await owner.locator('#dueDate').fill(addDays(dayOf(Date.now()), 20))
    await typeItem(owner, 0, '2', /Total\s+R\$\s99,80/)
    await owner.locator(field('finalize')).uncheck()
    await press(owner, 'New invoice')
    await owner.getByRole('status').waitFor()
  }

  async function payByCard(link: string): Promise<void> {
    const payer = await openWindow(portal.browser)
    await payer.goto(link)
    await payer.locator('label:has(#method-card)').click()
    await payer.locator('#card-number').fill(cardEndingIn(1))
    await payer.locator('#card-expiry').fill(`12/${String(new Date().getFullYear() + 2).slice(-2)}`)
    await payer.locator('#card-cvv').fill('123')
    await payer.locator('#card-holder').fill('ANA SOUZA')
    await payer.locator('#card-form button').click()
    await payer.getByText('Payment received').waitFor()
    await payer.context().close()
  }

  test('creates a draft with its total, edits it, previews it, sends it and sees it paid', async () => {
    const owner = await portal.owner()
    await createDraft(owner)
    const id = idOf(owner)
    await follow(owner, 'Edit')
    await owner.locator(field('discounts')).fill('10%')
    await typeItem(
      owner,
      1,
      '1',
      /Subtotal\s+R\$\s149,70\s+Discount\s+-R\$\s14,97 until .+\s+Total\s+R\$\s134,73/,
    )
    await press(owner, 'Edit')
    expect(await owner.getByRole('status').innerText()).toContain('The invoice was changed.')
    expect((await readInvoice(system, id)).amountInCents).toBe(14_970)

    await follow(owner, 'Preview')
    const [page, , letter] = ['The payment page', '', 'The letter'].map((title) =>
      owner.frameLocator(`iframe[title^="${title}"] >> nth=0`),
    )
    await page?.getByText('134,73').first().waitFor()
    await letter?.getByText('134,73').first().waitFor()
    expect(await system.sandbox('GET', '/mailbox?to=ana@example.com')).toEqual([])

    await go(owner, portal, `/invoices/${id}`)
    await follow(owner, 'Finalize')
    await press(owner, 'Finalize')
    await follow(owner, 'Send by e-mail')
    await press(owner, 'Send by e-mail')
    await owner.getByRole('status').waitFor()
    const mails = await eventually(async () => {
      const found = (await system.sandbox('GET', '/mailbox?to=ana@example.com')) as { text: string }[]
      expect(found).toHaveLength(1)
      return found
    })
    const link = /https?:\/\/\S+\/checkout\/\S+/.exec(mails[0]?.text ?? '')?.[0] ?? ''
    await payByCard(link)
    await eventually(async () => expect((await readInvoice(system, id)).status).toBe('PAID'))
    await go(owner, portal, `/invoices/${id}`)
    expect(await owner.locator('main .badge').first().innerText()).toBe('Paid')
  })

  test('of two people who edit one draft, the second is told, and loses nothing', async () => {
    const { id } = await newInvoice(system, invoiceOf(shop))
    const [first, second] = [await portal.owner(), await portal.owner('pt-BR')]
    for (const page of [first, second]) await go(page, portal, `/invoices/${id}/edit`)
    await typeItem(first, 1, '1', /149,70/)
    await press(first, 'Edit')
    await first.getByRole('status').waitFor()
    await typeItem(second, 1, '5', /349,30/)
    await press(second, 'Editar')
    expect(await second.getByRole('alert').innerText()).toContain('Alguém alterou a fatura')
    expect(await second.locator(field('items.1.quantity')).inputValue()).toBe('5')
    expect((await readInvoice(system, id)).amountInCents).toBe(14_970)
  })

  test('the form and the preview are free of faults, in both languages', async () => {
    const { id } = await newInvoice(system, invoiceOf(shop))
    const faults: string[] = []
    for (const locale of ['en', 'pt-BR']) {
      const page = await portal.owner(locale)
      for (const path of [
        '/invoices/new',
        `/invoices/${id}`,
        `/invoices/${id}/edit`,
        `/invoices/${id}/preview`,
      ]) {
        await go(page, portal, path)
        faults.push(...(await faultsOf(page, `${locale}${path.replaceAll(/\W/g, '-')}`)))
      }
    }
    expect(faults).toEqual([])
  })
})
