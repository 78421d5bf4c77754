import { eventually } from '@cofre/testing/testing'
import type { Browser, Page } from 'playwright-core'
import { Webhook } from 'standardwebhooks'
import { WORDS } from '../../sandbox/src/identity/words'
import { withDatabase } from '../probed/places'
import { describeInChromium, faultsOf, openWindow, startChromium, tabTo } from './chromium'
import { customer, discard, startSystem, type System } from './system'

type Locale = keyof typeof WORDS

/** The headings of the last page, by outcome. */
const HEADINGS = {
  'pt-BR': {
    authorized: 'Cartão autorizado',
    refused: 'Autorização recusada',
    unusable: 'Este link não pode ser usado',
    unavailable: 'O serviço do cartão não responde',
    over: 'Não foi possível continuar',
  },
  en: {
    authorized: 'Card authorized',
    refused: 'Authorization refused',
    unusable: 'This link cannot be used',
    unavailable: 'The card service does not answer',
    over: 'We cannot continue',
  },
}

describeInChromium('the holder of a voucher card in a browser', () => {
  let system: System
  let browser: Browser
  let spoken: Locale = 'pt-BR'
  /** The names of the flows that ended, which are also their inboxes. */
  const ended = new Set<string>()

  beforeAll(async () => {
    system = await startSystem(undefined, {
      adapt: (_name, { VOUCHER_BRANDS: brands, ...settings }) =>
        brands === undefined ? settings : { ...settings, VOUCHER_BRANDS: brands.replace('pt-BR', spoken) },
    })
    browser = await startChromium()
  })
  afterAll(async () => {
    await browser.close()
    await discard(system)
  })

  const at = () => `/api/v2/sellers/${system.ready.sellerId}/vouchers`

  /** Starts the authorization of a card of Ana's; the seller's inbox has the name of the flow. */
  async function begin(name: string): Promise<string> {
    const notificationUrl = `${system.ready.sandboxUrl}/inbox/${name}`
    const body = { notificationUrl, cardType: 'MEAL', cardReference: name }
    const { status, body: answer } = await system.api('POST', `${at()}/Ticket/tokens`, { body })
    expect(status).toBe(200)
    return answer.authUrl
  }

  /** The notifications that the seller got, once there is one. */
  function told(name: string): Promise<{ headers: Record<string, string>; body: string }[]> {
    ended.add(name)
    return eventually(async () => {
      const posts = await system.sandbox('GET', `/inbox/${name}`)
      expect(posts.length).toBeGreaterThan(0)
      return posts
    })
  }
  const endOf = async (name: string) => (await told(name)).map(({ body }) => JSON.parse(body).status)

  /** Signs in and picks the second card, up to the page that asks whether it may pay. */
  async function askedAbout(page: Page, authUrl: string): Promise<Page> {
    const words = WORDS[spoken]
    await page.goto(authUrl)
    await page.getByLabel(words.email).fill('ana@example.com')
    await page.getByLabel(words.password).fill('sandbox')
    await page.getByRole('button', { name: words.signIn }).click()
    await page.getByRole('radio', { name: '4321' }).check()
    await page.getByRole('button', { name: words.continue }).click()
    await page.getByRole('button', { name: words.authorize }).waitFor()
    return page
  }

  /** Authorizes; returns the status and the heading of the next page. */
  async function authorize(page: Page): Promise<[status: number | undefined, heading: string | null]> {
    const answers: number[] = []
    await page.waitForLoadState()
    page.on('response', (response) => {
      if (response.request().isNavigationRequest()) answers.push(response.status())
    })
    const loaded = page.waitForEvent('load')
    await page.getByRole('button', { name: WORDS[spoken].authorize }).click()
    await loaded
    return [answers.at(-1), await headingOf(page)]
  }
  const headingOf = (page: Page) => page.getByRole('heading', { level: 1 }).textContent()

  describe.each(['pt-BR', 'en'] as const)('in %s', (locale) => {
    const words = WORDS[locale]
    const says = HEADINGS[locale]

    beforeAll(async () => {
      if (spoken === locale) return
      spoken = locale
      await system.stopService('vouchers')
      system.startService('vouchers')
      await eventually(async () => {
        expect((await system.api('GET', '/api/v2/vouchers/brands')).status).toBe(200)
      })
    })

    test('the second card is authorized with the keyboard alone; the seller is notified, the token pays', async () => {
      const name = `keyboard-${locale}`
      const page = await openWindow(browser)
      const { keyboard } = page
      const button = (label: string) => page.getByRole('button', { name: label })
      const shown = async (what: string) => expect(await faultsOf(page, `${what} ${locale}`)).toEqual([])

      await page.goto(await begin(name))
      expect(await page.locator('html').getAttribute('lang')).toBe(locale)
      await shown('sign-in')
      await tabTo(page.getByLabel(words.email))
      await keyboard.type('ana@example.com')
      await tabTo(page.getByLabel(words.password))
      await keyboard.type('wrong')
      await keyboard.press('Enter')
      await page.getByRole('alert').waitFor()
      await shown('wrong-password')
      await tabTo(page.getByLabel(words.password))
      await keyboard.type('sandbox')
      await tabTo(button(words.signIn))
      await keyboard.press('Enter')

      await page.getByRole('heading', { name: words.chooseCard }).waitFor()
      await shown('choose-card')
      await tabTo(page.getByRole('radio', { name: '1234' }))
      await keyboard.press('ArrowDown')
      expect(await page.getByRole('radio', { name: '4321' }).isChecked()).toBe(true)
      await shown('card-chosen')
      await tabTo(button(words.continue))
      await keyboard.press('Enter')

      await page.getByRole('heading', { name: words.authorizeTitle }).waitFor()
      expect(await page.getByText('4321').isVisible()).toBe(true)
      await shown('consent')
      await tabTo(button(words.authorize))
      await keyboard.press('Enter')
      await page.getByRole('heading', { name: says.authorized }).waitFor()
      expect(await page.locator('html').getAttribute('lang')).toBe(locale)
      await shown('authorized')

      const [post, ...more] = await told(name)
      expect(more).toEqual([])
      const { body: secret } = await system.api('GET', '/api/v2/webhooks/secret')
      const heard = new Webhook(secret.secret).verify(post?.body ?? '', post?.headers ?? {}) as any
      expect(heard).toMatchObject({ status: 'ACTIVE', lastFour: '4321', cardReference: name })
      const card = { cardType: 'MEAL', cardBrand: 'TICKET', token: heard.token }
      const paid = await system.api('POST', `${at()}/payments`, { body: { amount: 3_500, customer, card } })
      expect([paid.status, paid.body.status]).toEqual([201, 'PAID'])
    })

    test('a holder who refuses, with the keyboard alone, sees that and gives no token', async () => {
      const name = `refuses-${locale}`
      const page = await openWindow(browser)
      await askedAbout(page, await begin(name))
      await tabTo(page.getByRole('button', { name: words.refuse }))
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: says.refused }).waitFor()
      expect(await faultsOf(page, `refused ${locale}`)).toEqual([])
      expect(await endOf(name)).toEqual(['DENIED'])
    })

    test('a holder who comes back too late reads that the link is unusable; the seller, that it expired', async () => {
      const name = `late-${locale}`
      const page = await openWindow(browser)
      await askedAbout(page, await begin(name))
      await withDatabase(system.runDir, 'vouchers', (client) =>
        client.query(
          `UPDATE voucher_tokens SET expires_at = now() - interval '1 second', ask_at = now() - interval '1 second' WHERE card_reference = $1`,
          [name],
        ),
      )
      expect(await endOf(name)).toEqual(['EXPIRED'])
      expect(await authorize(page)).toEqual([400, says.unusable])
      expect(await faultsOf(page, `unusable ${locale}`)).toEqual([])
      expect(await endOf(name)).toEqual(['EXPIRED'])
    })

    test('a page that the provider no longer knows says so', async () => {
      const page = await openWindow(browser, locale)
      await askedAbout(page, await begin(`forgotten-${locale}`))
      await page.context().clearCookies()
      expect(await authorize(page)).toEqual([400, says.over])
      expect(await faultsOf(page, `over ${locale}`)).toEqual([])
    })

    test('a page that was answered in another tab says so, and changes nothing', async () => {
      const name = `answered-${locale}`
      const page = await askedAbout(await openWindow(browser), await begin(name))
      const other = await page.context().newPage()
      await other.goto(page.url())
      expect(await authorize(page)).toEqual([200, says.authorized])
      expect(await authorize(other)).toEqual([400, says.over])
      expect(await endOf(name)).toEqual(['ACTIVE'])
    })

    test('going back after the end, there is nothing to submit; going forward shows the end again', async () => {
      const name = `back-${locale}`
      const page = await askedAbout(await openWindow(browser), await begin(name))
      expect(await authorize(page)).toEqual([200, says.authorized])
      await page.goBack()
      expect(await headingOf(page)).toBe(says.over)
      await page.goForward()
      expect(await headingOf(page)).toBe(says.authorized)
      await page.reload()
      expect(await headingOf(page)).toBe(says.authorized)
      expect(await endOf(name)).toEqual(['ACTIVE'])
    })

    test('a link that was followed to its end gives no second token, even from its first page on', async () => {
      const name = `again-${locale}`
      const authUrl = await begin(name)
      const page = await askedAbout(await openWindow(browser), authUrl)
      expect(await authorize(page)).toEqual([200, says.authorized])
      await askedAbout(page, authUrl)
      expect(await authorize(page)).toEqual([400, says.unusable])
      expect(await endOf(name)).toEqual(['ACTIVE'])
    })

    test('when two browsers authorize at once with one link, one succeeds', async () => {
      const name = `browsers-${locale}`
      const authUrl = await begin(name)
      const windows = [await openWindow(browser), await openWindow(browser)]
      for (const page of windows) await askedAbout(page, authUrl)
      const ends = await Promise.all(windows.map(authorize))
      expect(new Map(ends)).toEqual(
        new Map([
          [200, says.authorized],
          [400, says.unusable],
        ]),
      )
      expect(await endOf(name)).toEqual(['ACTIVE'])
    })

    test('when two tabs authorize at once with one link, one succeeds', async () => {
      const name = `tabs-${locale}`
      const authUrl = await begin(name)
      const first = await openWindow(browser)
      const tabs = [first, await first.context().newPage()]
      for (const page of tabs) await askedAbout(page, authUrl)
      // A browser has one sign-in: the second tab's ends the question of the first.
      expect(await Promise.all(tabs.map(authorize))).toEqual([
        [400, says.over],
        [200, says.authorized],
      ])
      expect(await endOf(name)).toEqual(['ACTIVE'])
    })

    test('the page says that the provider does not answer', async () => {
      const name = `fails-${locale}`
      const page = await askedAbout(await openWindow(browser), await begin(name))
      await system.sandbox('POST', '/faults', { partner: 'IDENTITY_PROVIDER', kind: 'HTTP_500', times: 1 })
      expect(await authorize(page)).toEqual([503, says.unavailable])
      expect(await faultsOf(page, `unavailable ${locale}`)).toEqual([])
      expect(await endOf(name)).toEqual(['FAILED'])
    })
  })

  test('each flow that ended sent the seller one notification', async () => {
    const counts = await Promise.all(Array.from(ended, async (name) => [name, (await told(name)).length]))
    expect(ended.size).toBe(18)
    expect(counts).toEqual(Array.from(ended, (name) => [name, 1]))
  })
})
