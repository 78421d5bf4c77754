import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROLES, type Role } from '../../src/sellers/roles'
import { THINGS } from '../../src/portal/things/all-things'
import { isOpen, routesOfPortal } from '../support/portal-routes'
import { hiddenFields, openBrowser, readable, type Browser, type Seen } from './browser'
import { PASSWORD, startPortal, type PortalSystem } from './portal-system'

/** Who may do what, written down apart from the product: O owner, P operator, V sales, S support, B bookkeeper, R read only. */
const MAY: Record<string, string> = {
  'invoices/new': 'OPV',
  'recurring/new': 'OPV',
  'recurring/new-booklet': 'OPV',
  'customers/new': 'OPVS',
  'products/new': 'OPV',
  'endpoints/new': 'O',
  'charges/capture': 'OP',
  'charges/refund': 'OPS',
  'charges/cancel': 'OP',
  'invoices/edit': 'OPV',
  'invoices/finalize': 'OPV',
  'invoices/send': 'OPVS',
  'invoices/record-payment': 'OPB',
  'invoices/refund': 'OPS',
  'invoices/record-return': 'OPB',
  'invoices/retry': 'OP',
  'invoices/write-off': 'OPB',
  'invoices/uncollectible': 'OPB',
  'invoices/void': 'OP',
  'recurring/edit': 'OP',
  'recurring/pause': 'OP',
  'recurring/resume': 'OP',
  'recurring/cancel': 'OP',
  'recurring/void': 'OP',
  'customers/edit': 'OPVS',
  'customers/delete': 'OPS',
  'products/edit': 'OPV',
  'products/delete': 'OP',
  'receipts/apply': 'OPB',
  'receipts/return': 'OPB',
  'receipts/record-return': 'OPB',
  'receipts/keep': 'OPB',
  'disputes/evidence': 'OPS',
  'disputes/accept': 'OPS',
  'vouchers/cancel': 'OPS',
  'network-tokens/deactivate': 'O',
  'endpoints/enable': 'O',
  'endpoints/ping': 'O',
  'endpoints/test': 'O',
  'endpoints/recover': 'O',
  'endpoints/edit': 'O',
  'endpoints/rotate-secret': 'O',
  'endpoints/delete': 'O',
  'events/resend': 'O',
  'deliveries/resend': 'O',
}
const LETTERS: Record<Role, string> = {
  OWNER: 'O',
  OPERATOR: 'P',
  SALES: 'V',
  SUPPORT: 'S',
  BOOKKEEPER: 'B',
  READ_ONLY: 'R',
}
/** The pages of the portal that are no thing's. */
const PAGES: Record<string, string> = {
  '/settings/integrations/api': 'O',
  '/settings/integrations/api/new': 'O',
  '/settings/integrations/secret': 'O',
  '/settings/people': 'O',
  '/settings/audit': 'OB',
  '/settings/audit/csv': 'OB',
  '': 'OPVSBR',
  '/reports': 'OPVSBR',
  '/reports.csv': 'OPVSBR',
  '/reports-by-method.csv': 'OPVSBR',
  '/owing': 'OPVSBR',
  '/owing.csv': 'OPVSBR',
  '/search': 'OPVSBR',
  '/sandbox': 'OPVSBR',
  '/settings/theme': 'OPVSBR',
  '/settings/contact': 'OPVSBR',
  '/settings/theme/preview': 'OPVSBR',
  '/settings/account': 'OPVSBR',
  '/settings/two-step': 'OPVSBR',
}
/** Pages that name a record or lead on: who may not is refused before the record is looked for. */
const NO_PAGES: Record<string, string> = {
  '/settings/integrations/api/:id/revoke': 'O',
  '/settings/people/:id': 'O',
  '/settings': 'OPVSBR',
  '/settings/integrations': 'O',
  '/settings/integrations/webhooks': 'O',
}
/** The forms of those pages. Each person has those of its own account. */
const FORMS: Record<string, string> = {
  '/settings/integrations/api/new': 'O',
  '/settings/integrations/api/:id/revoke': 'O',
  '/settings/integrations/secret': 'O',
  '/settings/people': 'O',
  '/settings/people/two-step': 'O',
  '/settings/people/:id': 'O',
  '/settings/theme': 'OP',
  '/settings/contact': 'OP',
  '/settings/theme/logo': 'OP',
  '/sandbox': 'OP',
}
const OWN_ACCOUNT = /^\/(logout|settings\/account\/.+|settings\/two-step\/.+)$/

let system: PortalSystem
const browsers = new Map<Role, Browser>()
/** What each browser's forms send without being typed. */
const hidden = new Map<Browser, Record<string, string>>()

beforeAll(async () => {
  system = await startPortal()
  const { sellerId } = await system.makeSeller()
  for (const role of ROLES) {
    const browser = openBrowser(system.url)
    await browser.signIn(await system.addPerson(sellerId, role), PASSWORD)
    browsers.set(role, browser)
    hidden.set(browser, hiddenFields((await browser.get('/portal/settings/account')).text))
  }
})
afterAll(() => system.stop())

function rolesOf(letters: string): Role[] {
  return ROLES.filter((role) => letters.includes(LETTERS[role]))
}

/** The routes that no thing has, and that need a sign-in. */
function ownRoutes(method: 'GET' | 'POST'): string[] {
  const ofThing = (path: string) => THINGS.some(({ name }) => new RegExp(`^/${name}([/.]|$)`).test(path))
  return routesOfPortal()
    .filter((route) => route.method === method && !isOpen(route) && !ofThing(route.path))
    .map(({ path }) => path)
}

test('the tables name every page and form of the portal', () => {
  const served = THINGS.flatMap(({ name, actions, creations = [] }) =>
    [...creations, ...actions].map((each) => `${name}/${each.name}`),
  )
  expect(Object.keys(MAY).toSorted()).toEqual(served.toSorted())
  expect(Object.keys({ ...PAGES, ...NO_PAGES }).toSorted()).toEqual(ownRoutes('GET').toSorted())
  const forms = ownRoutes('POST').filter((path) => !OWN_ACCOUNT.test(path))
  expect(Object.keys(FORMS).toSorted()).toEqual(forms.toSorted())
})

test('the README has the same table', () => {
  const readme = readFileSync(join(__dirname, '../../README.md'), 'utf8')
  const rows = [...readme.matchAll(/^\| `([a-z-]+\/[a-z-]+)` \|(.*)\|$/gm)].map(
    ([, path = '', cells = '']) => {
      const letters = cells.split('|').map((cell, at) => (cell.trim() === 'yes' ? 'OPVSBR'.charAt(at) : ''))
      return [path, letters.join('')]
    },
  )
  expect(Object.fromEntries(rows)).toEqual(MAY)
})

/** The roles that are not refused. */
async function allowed(ask: (browser: Browser) => Promise<Seen>): Promise<Role[]> {
  const roles: Role[] = []
  for (const [role, browser] of browsers) {
    const { status, text } = await ask(browser)
    if (status !== 403) roles.push(role)
    else expect(readable(text)).toContain('Your role does not allow this')
  }
  return roles
}

const post =
  (path: string, fields: Record<string, string> = {}) =>
  (browser: Browser) =>
    browser.submit(`/portal${path}`, fields, '/portal/settings/account')

// Nothing has this id, and nothing is made of an empty form: who may not is refused first.
const withId = (path: string) => path.replace(':id', '1')

test.each(Object.entries(MAY))('%s is for the roles that may, and nobody else', async (path, letters) => {
  const [thing, action = ''] = path.split('/')
  const form = action.startsWith('new') ? `/${path}` : `/${thing}/1/${action}`
  expect(await allowed((browser) => browser.get(`/portal${form}`))).toEqual(rolesOf(letters))
  expect(await allowed(post(form))).toEqual(rolesOf(letters))
})

/** The list, the export, and the page and documents of one. */
const OF_THINGS = THINGS.flatMap(({ name, under, csv, read, documents = [] }) => {
  const ofOne = read ? ['/1', ...documents.map((document) => `/1/${document.name}`)] : []
  const paths = ['', ...(csv ? ['.csv'] : []), ...ofOne]
  return paths.map((path) => [`/${name}${path}`, under ? 'O' : 'OPVSBR'])
})

test.each([...Object.entries(PAGES), ...OF_THINGS, ...Object.entries(NO_PAGES)])(
  '%s is for the roles that may read it',
  async (path, letters) => {
    expect(await allowed((browser) => browser.get(`/portal${withId(path)}`))).toEqual(rolesOf(letters))
    if (!(path in PAGES)) return
    expect((await browsers.get('OWNER')?.get(`/portal${path}`))?.status).toBe(200)
  },
)

test.each(Object.entries(FORMS))('the form %s is for the roles that may send it', async (path, letters) => {
  expect(await allowed(post(withId(path)))).toEqual(rolesOf(letters))
})

test('nobody without the right changes people, tokens or secrets by a form that is filled in', async () => {
  const forms: [string, Record<string, string>][] = [
    ['/settings/people', { email: 'x@example.com', role: 'OWNER', currentPassword: PASSWORD }],
    ['/settings/integrations/api/new', { title: 'x', access: 'all' }],
    ['/settings/integrations/secret', { deed: 'rotate', currentPassword: PASSWORD }],
  ]
  for (const [path, fields] of forms) {
    for (const role of ROLES.filter((each) => each !== 'OWNER')) {
      const answer = await post(path, fields)(browsers.get(role)!)
      expect([role, path, answer.status]).toEqual([role, path, 403])
    }
  }
})
