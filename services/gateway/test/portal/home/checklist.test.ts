import { openBrowser, readable, type Browser } from '../browser'
import { PASSWORD, startPortal, type PortalSystem } from '../portal-system'

let system: PortalSystem
beforeAll(async () => {
  system = await startPortal()
})
afterAll(() => system.stop())

async function newOwner(): Promise<{ owner: Browser; sellerId: number }> {
  const { email, sellerId } = await system.makeSeller()
  const owner = openBrowser(system.url)
  await owner.signIn(email, PASSWORD)
  return { owner, sellerId }
}

const home = async (browser: Browser) => {
  const { text } = await browser.get('/portal')
  const [, steps = ''] = /<ul class="steps">([\s\S]*?)<\/ul>/.exec(text) ?? []
  return { steps, words: readable(steps).trim() }
}

const THEME = {
  primaryColor: '#AA0000',
  secondaryColor: '#333333',
  'colors.headerBackground': '#FFFFFF',
  'colors.headerText': '#000000',
  'colors.bodyBackground': '#FFFFFF',
  'colors.bodyText': '#000000',
}

test('a new seller sees its first steps, each leads to where it is done, and all done they are gone', async () => {
  const { owner, sellerId } = await newOwner()
  const { steps, words } = await home(owner)
  expect(words.match(/To do/g)).toHaveLength(4)
  for (const [, path = ''] of steps.matchAll(/href="([^"]+)"/g))
    expect((await owner.get(path)).status).toBe(200)
  expect(steps.match(/href="/g)).toHaveLength(4)

  await owner.submit('/portal/products/new', {
    name: 'Caneca',
    value: '49,90',
    active: 'true',
    maxInstallments: '1',
  })
  expect((await home(owner)).words).toMatch(/^Completed Create a product and share its payment link To do/)
  await owner.submit('/portal/settings/theme', THEME)
  await owner.submit('/portal/settings/integrations/api/new', {
    title: 'ERP',
    expiresOn: '',
    access: 'all',
    currentPassword: PASSWORD,
  })
  const almost = await home(owner)
  expect(almost.words.match(/Completed/g)).toHaveLength(3)
  expect(almost.words).toContain('To do Invite a second person, or turn on two-step sign-in')
  await system.addPerson(sellerId, 'SUPPORT')
  expect((await home(owner)).steps).toBe('')
})

test('a standard theme that was saved as it is counts as none', async () => {
  const { owner } = await newOwner()
  await owner.submit('/portal/settings/theme', {
    primaryColor: '#1F4FD8',
    secondaryColor: '#5B6472',
    'colors.headerBackground': '#FFFFFF',
    'colors.headerText': '#1A1C1F',
    'colors.bodyBackground': '#F5F6F8',
    'colors.bodyText': '#1A1C1F',
  })
  expect((await home(owner)).words.match(/To do/g)).toHaveLength(4)
})

test('an owner hides the steps in this browser alone', async () => {
  const { owner } = await newOwner()
  expect(await owner.get('/portal?steps=hide')).toMatchObject({ status: 303, location: '/portal' })
  expect((await home(owner)).steps).toBe('')
})

test('who may not set the shop up has no steps, and none are shown while a part of them is not known', async () => {
  const { owner, sellerId } = await newOwner()
  const clerk = openBrowser(system.url)
  await clerk.signIn(await system.addPerson(sellerId, 'OPERATOR'), PASSWORD)
  expect((await home(clerk)).steps).toBe('')
  system.behind.downFor = 'listProducts'
  expect((await home(owner)).steps).toBe('')
  system.behind.downFor = undefined
  expect((await home(owner)).words.match(/To do/g)).toHaveLength(3)
})

test('the steps are in Portuguese too', async () => {
  const { owner } = await newOwner()
  await owner.get('/portal?language=pt-BR')
  expect((await home(owner)).words).toContain('A fazer Crie um produto e compartilhe o link de pagamento')
})
