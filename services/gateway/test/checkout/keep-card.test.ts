import { openBrowser, readable } from '../portal/browser'
import { startCheckout, type CheckoutSystem } from './checkout-system'
import { hiddenOfCard, sealedCard } from './sealed-card'

let system: CheckoutSystem
beforeAll(async () => {
  system = await startCheckout()
})
beforeEach(() => {
  system.pages.asked.length = 0
})
afterAll(() => system.stop())

test.each([
  [true, { keepCard: 'yes' }, true],
  [true, {}, false],
  [false, { keepCard: 'yes' }, false],
])(
  'where the page may keep a card (%s), it is kept only with the payer’s consent',
  async (mayKeepCard, consent, kept) => {
    const path = `/checkout/${system.pages.add({ sellerId: system.sellerId }, { mayKeepCard })}`
    const browser = openBrowser(system.url)
    const { text } = await browser.get(path)
    expect(readable(text).includes('Salvar este cartão para as cobranças automáticas')).toBe(mayKeepCard)
    const sent = { ...hiddenOfCard(text), encryptedCard: sealedCard(system), installments: '1', ...consent }
    expect((await browser.post(`${path}/pay`, sent)).status).toBe(303)
    expect(system.pages.asked).toMatchObject([{ keepCard: kept }])
    const words = /name="keepCard"[^>]*> ([^<]*)</.exec(text)?.[1]
    const told = { language: 'pt-BR', text: words, address: '127.0.0.1' }
    expect(system.pages.asked[0]?.keepConsent).toEqual(kept ? told : undefined)
  },
)
