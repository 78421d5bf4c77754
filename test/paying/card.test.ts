import { InvoiceStatus } from '@cofre/proto/invoices/v1/invoices'
import { boletoOf, BOLETO_LINE } from '@cofre/testing/stand-ins/checkout/payment-pages'
import { eventually } from '@cofre/testing/testing'
import type { Browser, Page } from 'playwright-core'
import { startCheckout, type CheckoutSystem } from '../../services/gateway/test/checkout/checkout-system'
import { describeInChromium, faultsOf, openWindow, startChromium, tabTo } from '../journeys/chromium'

const NUMBER = '4111111111111111'
const CVV = '737'

describeInChromium('who pays an invoice in a browser', () => {
  let system: CheckoutSystem
  let browser: Browser
  beforeAll(async () => {
    system = await startCheckout({ CHECKOUT_TRIES_OF_ADDRESS: '1000' })
    browser = await startChromium()
  })
  beforeEach(() => {
    Object.assign(system.pages.next, { outcome: 'PAID', wait: Promise.resolve() })
    system.pages.asked.length = 0
    system.vault.opened.length = 0
  })
  afterAll(async () => {
    await browser.close()
    await system.stop()
  })

  /** Collects every request of the browser, its errors and its console messages, which name policy violations. */
  function watch(page: Page) {
    const [sent, broken]: [string[], string[]] = [[], []]
    page.on('request', (request) => sent.push(`${request.url()} ${request.postData() ?? ''}`))
    page.on('console', (message) => broken.push(message.text()))
    page.on('pageerror', (error) => broken.push(String(error)))
    return { sent, broken }
  }

  type Given = Parameters<CheckoutSystem['pages']['add']>[0]
  async function open(invoice: Given = {}, locale = 'pt-BR') {
    const publicId = system.pages.add({ sellerId: system.sellerId, ...invoice })
    const page = await openWindow(browser, locale)
    const watched = watch(page)
    await page.goto(`${system.url}/checkout/${publicId}`)
    return { page, publicId, ...watched }
  }

  async function typeCard(page: Page, { number = NUMBER, expiry = '1249' } = {}): Promise<void> {
    await page.getByLabel('Número do cartão').pressSequentially(number)
    await page.getByLabel('Validade').pressSequentially(expiry)
    await page.getByLabel('Código de segurança').pressSequentially(CVV)
    await page.getByLabel('Nome impresso no cartão').fill('ANA SOUZA')
  }
  const press = (page: Page) => page.getByRole('button', { name: /^Pagar/ }).click()
  const heading = (page: Page, name: string) => page.getByRole('heading', { name }).waitFor()

  test('pays with a card that leaves the browser sealed, and reads the receipt', async () => {
    const { page, sent, broken } = await open({ successUrl: 'https://shop.example.com/thanks' })
    await typeCard(page)
    expect(await page.getByLabel('Número do cartão').inputValue()).toBe('4111 1111 1111 1111')
    expect(await page.locator('#card-brand').textContent()).toBe('Visa')
    expect(await page.getByLabel('Validade').inputValue()).toBe('12/49')
    await page.getByLabel('Parcelas').selectOption('3')
    await press(page)
    await heading(page, 'Pagamento recebido')
    expect(await page.getByRole('link', { name: 'Voltar para a loja' }).getAttribute('href')).toBe(
      'https://shop.example.com/thanks',
    )
    expect(system.pages.asked).toMatchObject([{ installments: 3, card: { handle: 'sealed' } }])
    const [opened, ...more] = system.vault.opened
    expect(more).toEqual([])
    const invoiceId = new URL(page.url()).pathname.split('/').at(-1)
    expect(opened?.header).toEqual({ alg: 'RSA-OAEP-256', enc: 'A256GCM', kid: 'k1', invoiceId })
    expect(opened?.plain).toEqual({
      cardNumber: NUMBER,
      holder: { name: 'ANA SOUZA' },
      expiration: { year: 2049, month: 12 },
      cvv: CVV,
      iat: expect.any(Number),
      sellerId: expect.any(Number),
    })
    // The sealed card and the marks of the form are random and may hold any three digits, so the CVV is a whole value here.
    const inClear = sent
      .map(decodeURIComponent)
      .filter((each) => /4111 ?1111|SOUZA|[="]737(["&]|$)/.test(each))
    expect(inClear).toEqual([])
    expect(new Set(sent.map((each) => new URL(each.split(' ')[0] ?? '').origin))).toEqual(
      new Set([system.url]),
    )
    expect(broken).toEqual([])
  })

  test('pays with the keyboard alone', async () => {
    const { page } = await open()
    const { keyboard } = page
    await keyboard.press('Tab')
    await keyboard.press('Enter')
    await page.waitForURL(({ hash }) => hash === '#pay')
    await tabTo(page.getByLabel('Número do cartão'))
    await keyboard.type(NUMBER)
    await tabTo(page.getByLabel('Validade'))
    await keyboard.type('1249')
    await tabTo(page.getByLabel('Código de segurança'))
    await keyboard.type(CVV)
    await tabTo(page.getByLabel('Nome impresso no cartão'))
    await keyboard.type('Ana Souza')
    await tabTo(page.getByLabel('Parcelas'))
    await keyboard.press('ArrowDown')
    await tabTo(page.getByRole('button', { name: /^Pagar/ }))
    await keyboard.press('Enter')
    await heading(page, 'Pagamento recebido')
    expect(system.pages.asked).toMatchObject([{ installments: 2 }])
  })

  test('chooses the boleto with the keyboard, copies its code, and sees the page turn to paid', async () => {
    const { page, publicId, broken } = await open()
    const { keyboard } = page
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await tabTo(page.getByRole('radio', { name: 'Cartão de crédito' }))
    await keyboard.press('ArrowRight')
    expect(await page.getByLabel('Número do cartão').isVisible()).toBe(false)
    await tabTo(page.getByRole('button', { name: 'Gerar boleto' }))
    await keyboard.press('Enter')
    await heading(page, 'Seu boleto está pronto')
    await page.getByRole('button', { name: 'Copiar código' }).click()
    await page.getByRole('button', { name: 'Código copiado' }).waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(BOLETO_LINE)
    system.pages.change(publicId, { status: InvoiceStatus.PAID, paidAmount: 10_000 })
    await heading(page, 'Pagamento recebido')
    expect(broken).toEqual([])
  })

  test('reads the fault beside each field, is led to the first one, and sends nothing', async () => {
    const { page, sent } = await open()
    await page.getByLabel('Número do cartão').fill('4111 1111 1111 1112')
    await page.getByLabel('Validade').fill('01/20')
    await press(page)
    const shown = async (name: string) => page.locator(`#card-${name}-fault`).textContent()
    expect(await shown('number')).toBe('Confira o número do cartão.')
    expect(await shown('expiry')).toBe('Este cartão está vencido.')
    expect(await shown('cvv')).toContain('3 dígitos')
    expect(await shown('holder')).toBe('Digite o nome como está no cartão.')
    const number = page.getByLabel('Número do cartão')
    expect(await number.evaluate((each: any) => each === each.ownerDocument.activeElement)).toBe(true)
    expect(await number.getAttribute('aria-invalid')).toBe('true')
    expect(await faultsOf(page, 'checkout-inline-faults')).toEqual([])
    await number.fill(NUMBER)
    expect(await shown('number')).toBe('')
    expect(sent.filter((each) => !each.includes('/assets/'))).toHaveLength(1)
  })

  test.each([
    ['5555555555554444', 'Mastercard', '5555 5555 5555 4444'],
    ['378282246310005', 'Amex', '3782 822463 10005'],
    ['30569309025904', 'Diners Club', '3056 930902 5904'],
    ['6362970000457013', 'Elo', '6362 9700 0045 7013'],
    ['6509850000000000', 'Elo', '6509 8500 0000 0000'],
    // The operator says that 650600 is Elo. Nobody says whose 650100 is, so the page shows no brand.
    ['6506000000000006', 'Elo', '6506 0000 0000 0006'],
    ['6501000000000001', '', '6501 0000 0000 0001'],
    ['6011000990139424', 'Discover', '6011 0009 9013 9424'],
    ['6062825624254001', 'Hipercard', '6062 8256 2425 4001'],
  ])('sees the brand of %s, and its digits in groups', async (number, brand, grouped) => {
    const { page } = await open()
    await page.getByLabel('Número do cartão').pressSequentially(number)
    expect(await page.locator('#card-brand').textContent()).toBe(brand)
    expect(await page.getByLabel('Número do cartão').inputValue()).toBe(grouped)
  })

  test('corrects a digit in the middle, and the cursor stays there', async () => {
    const { page } = await open()
    const number = page.getByLabel('Número do cartão')
    await number.pressSequentially('41111111')
    for (let left = 0; left < 4; left++) await page.keyboard.press('ArrowLeft')
    await page.keyboard.type('99')
    expect(await number.inputValue()).toBe('4111 9911 11')
  })

  test('pays with an expiration whose slash was typed', async () => {
    const { page } = await open()
    await typeCard(page, { expiry: '2/49' })
    await press(page)
    await heading(page, 'Pagamento recebido')
    expect(system.vault.opened[0]?.plain).toMatchObject({ expiration: { year: 2049, month: 2 } })
  })

  test('sees a decline, and pays with another card', async () => {
    const { page } = await open()
    system.pages.next.outcome = 'DECLINED'
    await typeCard(page)
    await page.getByLabel('Parcelas').selectOption('3')
    await press(page)
    await page.getByRole('alert').getByText('Pagamento não aprovado').waitFor()
    expect(await page.getByLabel('Nome impresso no cartão').inputValue()).toBe('ANA SOUZA')
    expect(await page.getByLabel('Parcelas').inputValue()).toBe('3')
    for (const secret of ['Número do cartão', 'Validade', 'Código de segurança'])
      expect(await page.getByLabel(secret).inputValue()).toBe('')
    system.pages.next.outcome = 'PAID'
    await typeCard(page)
    await press(page)
    await heading(page, 'Pagamento recebido')
  })

  test('waits while the bank does not answer, and the page turns to paid by itself', async () => {
    const { page, publicId } = await open()
    system.pages.next.outcome = 'NO_ANSWER'
    await typeCard(page)
    await press(page)
    await heading(page, 'Confirmando o pagamento')
    expect(await page.getByRole('button').count()).toBe(0)
    system.pages.change(publicId, { status: InvoiceStatus.PAID, paidAmount: 10_000 })
    await heading(page, 'Pagamento recebido')
  })

  test('clicks twice, and pays once; back and reload pay nothing', async () => {
    const { page } = await open()
    let answer = () => {}
    system.pages.next.wait = new Promise((resolve) => (answer = () => resolve()))
    await typeCard(page)
    await page.locator('#card-form button').dblclick()
    await eventually(async () => expect(system.pages.asked).toHaveLength(1))
    answer()
    await heading(page, 'Pagamento recebido')
    await page.goBack()
    await heading(page, 'Pagamento recebido')
    await page.reload()
    await heading(page, 'Pagamento recebido')
    expect(system.pages.asked).toHaveLength(1)
  })

  test('reads that nothing was charged when the connection is lost, and sends again', async () => {
    const { page } = await open()
    await typeCard(page)
    await page.context().setOffline(true)
    await press(page)
    await page.getByText('Não conseguimos falar com o servidor e nada foi cobrado.').waitFor()
    await page.context().setOffline(false)
    await press(page)
    await heading(page, 'Pagamento recebido')
  })

  test('reads without scripts that a card needs JavaScript, cannot send one, and gets a boleto', async () => {
    const publicId = system.pages.add({ sellerId: system.sellerId })
    const context = await browser.newContext({ javaScriptEnabled: false, locale: 'pt-BR' })
    const page = await context.newPage()
    await page.goto(`${system.url}/checkout/${publicId}`)
    // Playwright finds nothing by text inside <noscript>.
    const notice = page.locator('noscript .notice')
    expect([await notice.isVisible(), await notice.textContent()]).toEqual([
      true,
      expect.stringContaining('ative o JavaScript'),
    ])
    expect(await page.locator('#card-number').isVisible()).toBe(false)
    expect(await page.locator('#card-form input:not([type=hidden])[name]').count()).toBe(0)
    await page.getByRole('radio', { name: 'Boleto' }).check()
    await page.getByRole('button', { name: 'Gerar boleto' }).click()
    await page.getByText('00190.50095').waitFor()
    expect(await page.locator('noscript a').textContent()).toBe('Atualizar agora')
  })

  test('changes the language, and the choice stays', async () => {
    const { page, publicId } = await open({}, 'en')
    await page.getByRole('link', { name: 'Português' }).click()
    await page.getByText('Como você quer pagar?').waitFor()
    system.pages.change(publicId, {}, boletoOf(10_000))
    await page.reload()
    await heading(page, 'Seu boleto está pronto')
  })
})
