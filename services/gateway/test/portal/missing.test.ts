import { randomUUID } from 'node:crypto'
import { Endpoint, EndpointStatus } from '@cofre/proto/notifier/v1/notifier'
import { routesOfPortal } from '../support/portal-routes'
import { openBrowser, readable, type Browser } from './browser'
import { PASSWORD, startPortal, type PortalSystem } from './portal-system'

/** A form with a file is read otherwise: see disputes.test.ts. */
const WITH_FILE = '/disputes/:id/evidence'
const FORMS = routesOfPortal()
  .filter(({ method, path }) => method === 'POST' && path.includes(':') && path !== WITH_FILE)
  .map(({ path }) => path)
/** What the forms have that are read before their record. */
const FIELDS = {
  deed: 'disable',
  currentPassword: PASSWORD,
  newPassword: PASSWORD,
  repeatedPassword: PASSWORD,
}

let system: PortalSystem
let browser: Browser
let sellerId: number
beforeAll(async () => {
  system = await startPortal()
  const seller = await system.makeSeller()
  sellerId = seller.sellerId
  browser = openBrowser(system.url)
  await browser.signIn(seller.email, PASSWORD)
})
afterAll(() => system.stop())

test.each(FORMS)(
  'the form %s of a record that is gone, or of another seller, is 404, and no alert',
  async (form) => {
    const foreign = {
      ...Endpoint.fromPartial({ id: 77, url: 'https://x.example', status: EndpointStatus.ENABLED }),
      sellerId: sellerId + 1,
    }
    system.behind.hooks.endpoints.push(foreign)
    for (const id of ['999999999', '77', randomUUID(), 'x', '0']) {
      const path = `/portal${form.replace(/:id|:secret/, id)}`
      const answer = await browser.submit(path, FIELDS, '/portal/settings/integrations/api/new')
      expect([path, answer.status]).toEqual([path, 404])
      expect(readable(answer.text)).toMatch(/Page not found|This link no longer works/)
    }
    expect(system.logged()).not.toContain('portal page failed')
  },
)
