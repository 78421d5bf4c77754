import { eventually } from '@cofre/testing/testing'
import { insertDeed } from '../../src/portal/people/audit-store'
import { openBrowser, readable, type Browser } from './browser'
import { PASSWORD, startPortal, type PortalSystem } from './portal-system'

const PEOPLE = '/portal/settings/people'
const NEW_PASSWORD = 'another long password'

let system: PortalSystem
let owner: Browser
let sellerId: number
let ownersEmail: string
beforeAll(async () => (system = await startPortal()))
afterAll(() => system.stop())
beforeEach(async () => {
  const seller = await system.makeSeller()
  sellerId = seller.sellerId
  ownersEmail = seller.email
  owner = openBrowser(system.url)
  await owner.signIn(ownersEmail, PASSWORD)
})

async function idOf(email: string): Promise<number> {
  const { rows } = await system.deps.pool.query<{ id: number }>(
    'SELECT id FROM portal_users WHERE email = $1',
    [email],
  )
  return rows[0]?.id ?? 0
}

/** Changes a person, and returns the page after it. */
async function change(email: string, fields: Record<string, string>) {
  const page = `${PEOPLE}/${await idOf(email)}`
  const answer = await owner.submit(page, { currentPassword: PASSWORD, ...fields })
  return answer.status === 303 ? owner.get(answer.location ?? '') : answer
}

function linkIn(text: string): string {
  return new URL(/https?:\/\/[^<\s]+\/portal\/join\/[\w-]{43}/.exec(text)?.[0] ?? 'none:').pathname
}

async function inviteLink(email: string, role = 'SUPPORT'): Promise<string> {
  const answer = await owner.submit(PEOPLE, { email, role, currentPassword: PASSWORD })
  expect(answer.status).toBe(303)
  return linkIn((await owner.get(PEOPLE)).text)
}

test('an invited person chooses a password by the link, once, and is signed in with the role', async () => {
  const email = `bia.${sellerId}@example.com`
  const link = await inviteLink(email)
  expect((await owner.get(PEOPLE)).text).not.toContain('/portal/join/')
  const bia = openBrowser(system.url)
  await expect(bia.signIn(email, PASSWORD)).resolves.toMatchObject({ status: 401 })
  expect((await bia.get(link)).text).toContain(email)
  const short = await bia.submit(link, { newPassword: 'short', repeatedPassword: 'short' })
  expect([short.status, readable(short.text)]).toEqual([422, expect.stringContaining('12 to 200 characters')])
  const chosen = await bia.submit(link, { newPassword: NEW_PASSWORD, repeatedPassword: NEW_PASSWORD })
  expect([chosen.status, chosen.location]).toEqual([303, '/portal'])
  expect((await bia.get('/portal/charges')).status).toBe(200)
  expect((await bia.get('/portal/settings/integrations/api')).status).toBe(403)
  const again = openBrowser(system.url)
  expect((await again.get(link)).status).toBe(404)
  await expect(again.signIn(email, NEW_PASSWORD)).resolves.toMatchObject({ status: 303 })
})

test('of two browsers that use one link at once, one chooses the password', async () => {
  const email = `race.${sellerId}@example.com`
  const link = await inviteLink(email)
  const [one, two] = [openBrowser(system.url), openBrowser(system.url)]
  const use = (browser: Browser, password: string) =>
    browser.submit(link, { newPassword: password, repeatedPassword: password })
  const answers = await Promise.all([use(one, NEW_PASSWORD), use(two, `${NEW_PASSWORD} 2`)])
  expect(answers.map(({ status }) => `${status}`).toSorted()).toEqual(['303', '404'])
})

test('an old link no longer works', async () => {
  const email = `late.${sellerId}@example.com`
  const link = await inviteLink(email)
  await system.deps.pool.query(
    "UPDATE portal_users SET link_ends_at = now() - interval '1 second' WHERE email = $1",
    [email],
  )
  expect((await openBrowser(system.url).get(link)).status).toBe(404)
})

test('a demoted person loses the right with the next request, a disabled or removed one the session', async () => {
  const email = await system.addPerson(sellerId, 'OPERATOR')
  const person = openBrowser(system.url)
  await person.signIn(email, PASSWORD)
  const capture = () => person.get('/portal/charges/1/capture')
  expect((await capture()).status).toBe(404)
  expect(readable((await change(email, { deed: 'role', role: 'READ_ONLY' })).text)).toContain(
    'The role was changed.',
  )
  expect((await capture()).status).toBe(403)

  await change(email, { deed: 'disable' })
  expect((await person.get('/portal/charges')).status).toBe(303)
  await expect(person.signIn(email, PASSWORD)).resolves.toMatchObject({ status: 401 })
  await change(email, { deed: 'enable' })
  await expect(person.signIn(email, PASSWORD)).resolves.toMatchObject({ status: 303 })
  await change(email, { deed: 'remove' })
  expect((await person.get('/portal/charges')).status).toBe(303)
  expect((await owner.get(PEOPLE)).text).not.toContain(email)
})

test('a link for a new password ends every session of the person once it is used', async () => {
  const email = await system.addPerson(sellerId, 'SUPPORT')
  const person = openBrowser(system.url)
  await person.signIn(email, PASSWORD)
  const link = linkIn((await change(email, { deed: 'link' })).text)
  expect((await person.get('/portal/charges')).status).toBe(200)
  await openBrowser(system.url).submit(link, { newPassword: NEW_PASSWORD, repeatedPassword: NEW_PASSWORD })
  expect((await person.get('/portal/charges')).status).toBe(303)
  await expect(person.signIn(email, PASSWORD)).resolves.toMatchObject({ status: 401 })
})

test.each<Record<string, string>>([
  { deed: 'disable' },
  { deed: 'remove' },
  { deed: 'role', role: 'SUPPORT' },
])('the only owner stays: %j is refused', async (fields) => {
  const answer = await change(ownersEmail, fields)
  expect([answer.status, readable(answer.text)]).toEqual([422, expect.stringContaining('the only owner')])
  expect((await owner.get('/portal/settings/people')).status).toBe(200)
})

test('two owners who disable each other at once leave one', async () => {
  const email = await system.addPerson(sellerId, 'OWNER')
  const other = openBrowser(system.url)
  await other.signIn(email, PASSWORD)
  const [one, two] = [await idOf(ownersEmail), await idOf(email)]
  const disable = (browser: Browser, id: number) =>
    browser.submit(`${PEOPLE}/${id}`, { deed: 'disable', currentPassword: PASSWORD })
  await Promise.all([disable(owner, two), disable(other, one)])
  const { rowCount } = await system.deps.pool.query(
    "SELECT 1 FROM portal_users WHERE seller_id = $1 AND role = 'OWNER' AND disabled_at IS NULL",
    [sellerId],
  )
  expect(rowCount).toBe(1)
})

test.each([
  [
    { email: 'x@example.com', role: 'SUPPORT', currentPassword: 'wrong password' },
    'This is not your current password.',
  ],
  [{ email: 'x@example.com', role: 'SUPPORT' }, 'Type your current password.'],
  [{ email: 'x', role: 'SUPPORT', currentPassword: PASSWORD }, 'Enter an e-mail address.'],
])('an invitation with %j is refused beside its field', async (fields, words) => {
  const answer = await owner.submit(PEOPLE, fields)
  expect([answer.status, readable(answer.text)]).toEqual([422, expect.stringContaining(words)])
})

test('an address that has an account is refused, also of another seller', async () => {
  const { email } = await system.makeSeller()
  const answer = await owner.submit(PEOPLE, { email, role: 'SUPPORT', currentPassword: PASSWORD })
  expect([answer.status, readable(answer.text)]).toEqual([
    422,
    expect.stringContaining('already has an account'),
  ])
})

test('the audit says who did what to whom, and stays when the person is removed', async () => {
  const email = await system.addPerson(sellerId, 'SUPPORT')
  await openBrowser(system.url).signIn(email, PASSWORD)
  await change(email, { deed: 'role', role: 'BOOKKEEPER' })
  await change(email, { deed: 'remove' })
  const words = readable((await owner.get('/portal/settings/audit')).text)
  expect(words).toContain(`${ownersEmail} removed ${email}`)
  expect(words).toContain(`${ownersEmail} changed the role of ${email} from support to bookkeeper`)
  expect(words).toContain(`${email} signed in`)
  const ofOne = readable((await owner.get(`/portal/settings/audit?email=${encodeURIComponent(email)}`)).text)
  expect(ofOne).toContain(`${email} signed in`)
  expect(ofOne).not.toContain(`removed ${email}`)
})

test('the audit is filtered by what was done, to what and when, and exported with its filters', async () => {
  const by = { sellerId, email: '=cmd()', address: '203.0.113.9' }
  const { pool } = system.deps
  await insertDeed(pool, by, {
    action: 'refundCharge',
    subject: 'charges/1',
    detail: { amount: 5_000, reason: 'late' },
  })
  await insertDeed(pool, by, { action: 'captureCharge', subject: 'charges/2' })
  const AUDIT = '/portal/settings/audit'
  const shown = async (query: string) => readable((await owner.get(`${AUDIT}?${query}`)).text)
  expect(await shown('action=refundCharge')).toContain('of charge 1')
  expect(await shown('action=refundCharge')).not.toContain('captured charge 2')
  expect(await shown('subject=charges%2F2')).not.toContain('of charge 1')
  expect(await shown('to=2020-01-01')).toContain('Nothing matches this filter.')
  expect(await shown('from=2020-01-01&to=never')).toContain('of charge 1')
  const { headers, text } = await owner.get(`${AUDIT}/csv?action=refundCharge`)
  expect(headers.get('content-disposition')).toBe('attachment; filename="audit.csv"')
  const [head, row, ...rest] = text.split('\r\n')
  expect(head).toBe('at,email,action,subject,detail,address,sentence')
  expect(row?.replace(/^\d{4}-[^,]*Z,/, '')).toBe(
    `'=cmd(),refundCharge,charges/1,"{""amount"":5000,""reason"":""late""}",203.0.113.9,"'=cmd() refunded R$\u00a050,00 of charge 1"`,
  )
  expect(rest).toEqual([''])
})

test('an invitation and a new password are mailed in the language of the page, and the page shows the link too', async () => {
  const { links } = system.behind.invoices
  const path = await inviteLink('carta@example.com')
  expect(links.at(-1)).toMatchObject({
    sellerId,
    recipient: 'carta@example.com',
    isInvitation: true,
    language: 'en',
    path,
  })
  await change('carta@example.com', { deed: 'link' })
  expect(links.at(-1)).toMatchObject({ recipient: 'carta@example.com', isInvitation: false })
  system.behind.downFor = 'sendPasswordLink'
  try {
    const page = readable((await change('carta@example.com', { deed: 'link' })).text)
    expect(page).toContain('Send this link to the person')
    expect(page).not.toContain('by e-mail')
  } finally {
    system.behind.downFor = undefined
  }
})

test('who forgot the password gets a link by e-mail, and nobody learns who has an account', async () => {
  const { links } = system.behind.invoices
  const email = await system.addPerson(sellerId, 'SUPPORT')
  const ask = (address: string) =>
    openBrowser(system.url).submit('/portal/login/forgotten', { email: address })
  const [mine, nobodys] = [await ask(email.toUpperCase()), await ask('nobody@example.com')]
  const words = (text: string) => readable(text)
  expect([mine.status, words(mine.text)]).toEqual([nobodys.status, words(nobodys.text)])
  const link = await eventually(async () => {
    const found = links.find(({ recipient }) => recipient === email)
    expect(found).toMatchObject({ isInvitation: false, sellerId })
    return found?.path ?? ''
  })
  expect(links.some(({ recipient }) => recipient === 'nobody@example.com')).toBe(false)
  const browser = openBrowser(system.url)
  const chosen = { newPassword: NEW_PASSWORD, repeatedPassword: NEW_PASSWORD }
  expect((await browser.submit(link, chosen)).status).toBe(303)
  await change(email, { deed: 'disable' })
  await ask(email)
  await ask(ownersEmail)
  await eventually(async () => expect(links.at(-1)?.recipient).toBe(ownersEmail))
  expect(links.filter(({ recipient }) => recipient === email)).toHaveLength(1)
  for (let more = 0; more < 5; more++) await ask(ownersEmail)
  expect((await ask(ownersEmail)).status).toBe(429)
  const { email: last } = await system.makeSeller()
  await openBrowser(system.url).submit('/portal/login/forgotten', { email: last })
  await eventually(async () => expect(links.at(-1)?.recipient).toBe(last))
  expect(links.filter(({ recipient }) => recipient === ownersEmail)).toHaveLength(3)
})
