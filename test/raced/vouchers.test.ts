import { setTimeout } from 'node:timers/promises'
import { authorizeCard, openHolderBrowser } from '@cofre/testing/holder-browser'
import { eventually } from '@cofre/testing/testing'
import { type Answer, customer, discard, startSystem, type System } from '../journeys/system'

const MANY = 50
/** Payments renew an access token one after the other; on a busy machine the last ones run out of time, unpaid. */
const SOME = 8
/** How long an issuer is away under load. ISSUER_AWAY_SECONDS=60 npx jest test/raced/vouchers is the long form. */
const AWAY_SECONDS = Number(process.env['ISSUER_AWAY_SECONDS'] ?? 2)
/** High limits and a long timeout: a test sends many requests at once. */
const PATIENT = {
  RATE_LIMIT_PER_SECOND: '10000',
  RATE_LIMIT_BURST: '10000',
  ISSUER_TIMEOUT_MS: '55000',
}

let system: System
beforeAll(async () => {
  // A setting of the sandbox: every payment finds an access token that is about to expire.
  process.env['SANDBOX_ACCESS_TOKEN_SECONDS'] = '20'
  system = await startSystem(undefined, {
    adapt: (_name, settings) => ({ ...settings, ...PATIENT }),
  })
})
afterAll(async () => {
  delete process.env['SANDBOX_ACCESS_TOKEN_SECONDS']
  await discard(system)
})

type Voucher = { token: string; cardBrand: string }
type Payment = { id: number; status: string; orderNumber: string; cancellationPending: boolean }

const at = () => `/api/v2/sellers/${system.ready.sellerId}/vouchers`
const cancel = (id: number) => system.api('POST', `${at()}/payments/${id}/cancel`)
const remove = ({ token }: Voucher) => system.api('DELETE', `${at()}/tokens/${token}`)

async function newVoucher(digit: number): Promise<Voucher> {
  const card = { cardNumber: `637036123456789${digit}`, expires: { month: 12, year: 49 } }
  const body = { cardType: 'MEAL', cardBrand: 'VR', holder: { name: 'ANA SOUZA' }, ...card }
  const { body: made } = await system.api('POST', `${at()}/tokens`, { body })
  return { token: made.token, cardBrand: 'VR' }
}

function pay({ token, cardBrand }: Voucher, key?: string): Promise<Answer> {
  const body = { amount: 3_500, customer, card: { cardType: 'MEAL', cardBrand, token } }
  const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key }
  return system.api('POST', `${at()}/payments`, { body, headers })
}

async function paid(voucher: Voucher): Promise<Payment> {
  const { status, body } = await pay(voucher)
  expect([status, body.status]).toEqual([201, 'PAID'])
  return body
}

const many = (ask: () => Promise<Answer>, count = MANY) => Promise.all(Array.from({ length: count }, ask))
/** How often each answer came. */
function tally(answers: readonly Answer[]): Record<string, number> {
  const told: Record<string, number> = {}
  for (const { status, body } of answers) {
    const name = `${status} ${status < 400 ? body.status : body.code}`
    told[name] = (told[name] ?? 0) + 1
  }
  return told
}

/** Runs `find` for all things, at most MANY at once: the gateway refuses thousands of concurrent requests. */
async function inGroups<Thing, Found>(
  things: readonly Thing[],
  find: (one: Thing) => Promise<Found>,
): Promise<Found[]> {
  const found: Found[] = []
  for (let from = 0; from < things.length; from += MANY)
    found.push(...(await Promise.all(things.slice(from, from + MANY).map(find))))
  return found
}

/** The payments that were made with a token, once nothing of them is pending. */
async function paymentsOf({ token }: Voucher): Promise<Payment[]> {
  return eventually(async () => {
    const { body } = await system.api('GET', `${at()}/payments?size=100&token=${token}`)
    const payments = body.content as Payment[]
    expect(payments.filter((one) => one.status === 'PENDING' || one.cancellationPending)).toEqual([])
    return payments
  })
}

/** The issuers' statuses of these payments, in the same order. */
async function truthOf(payments: readonly Payment[]): Promise<string[]> {
  const books = await inGroups(payments, ({ orderNumber }) =>
    system.sandbox('GET', `/vouchers/payments?orderNumber=${orderNumber}`),
  )
  return books.map((book: { status: string }[]) => book.map(({ status }) => status).join() || 'nothing')
}

test('50 cancellations at once of one payment: one cancels it, the others get 422', async () => {
  const voucher = await newVoucher(0)
  const { id } = await paid(voucher)
  const answers = await many(() => cancel(id))
  expect(tally(answers)).toEqual({ '200 CANCELED': 1, '422 INVALID_VOUCHER_STATE': MANY - 1 })
  expect(await truthOf(await paymentsOf(voucher))).toEqual(['CANCELED'])
})

test.each([
  ['approved', 0, 'APPROVED'],
  ['declined', 2, 'DECLINED'],
  ['unanswered', 9, 'APPROVED'],
])('50 payments at once with one Idempotency-Key: one is made (%s)', async (key, digit, truth) => {
  const voucher = await newVoucher(digit)
  const answers = await many(() => pay(voucher, `one-${key}`))
  const [first, ...others] = answers.filter(({ status }) => status === 201)
  expect(others.map(({ body }) => body)).toEqual(others.map(() => first?.body))
  const told = Object.keys(tally(answers.filter(({ status }) => status !== 201)))
  expect(told.filter((answer) => answer !== '409 IDEMPOTENCY_KEY_IN_USE')).toEqual([])
  const payments = await paymentsOf(voucher)
  expect(payments.map(({ id }) => id)).toEqual([first?.body.id])
  expect(await truthOf(payments)).toEqual([truth])
})

test('a token deleted during payments: each is paid here and at the issuer, or refused and never there', async () => {
  const voucher = await newVoucher(0)
  const paying = many(() => pay(voucher))
  const { status } = await remove(voucher)
  expect(status).toBe(204)
  await expectWholeBooks(voucher, await paying)
})

async function expectWholeBooks(voucher: Voucher, answers: readonly Answer[]): Promise<void> {
  const told = tally(answers)
  const known = ['201 PAID', '422 CARD_TOKEN_UNUSABLE', '503 SERVICE_UNAVAILABLE']
  expect(Object.keys(told).filter((answer) => !known.includes(answer))).toEqual([])
  const payments = await paymentsOf(voucher)
  expect(payments.filter(({ status }) => status === 'PAID')).toHaveLength(told['201 PAID'] ?? 0)
  const wanted = payments.map(({ status }) => (status === 'PAID' ? 'APPROVED' : 'nothing'))
  expect(await truthOf(payments)).toEqual(wanted)
}

const openGrants = async () => {
  const grants = (await system.sandbox('GET', '/identity/grants')) as { revoked: boolean }[]
  return grants.filter(({ revoked }) => !revoked).length
}
const heardIn = async (inbox: string) => {
  const posts = (await system.sandbox('GET', `/inbox/${inbox}`)) as { body: string }[]
  return posts.map(({ body }) => JSON.parse(body) as { token: string; status: string })
}

/** Authorizes as a holder and opens the last page `times` times at once. Returns the headings too. */
async function authorized(inbox: string, times: number): Promise<{ voucher: Voucher; headings: string[] }> {
  const notificationUrl = `${system.ready.sandboxUrl}/inbox/${inbox}`
  const body = { notificationUrl, cardType: 'MEAL', cardReference: inbox }
  const { body: begun } = await system.api('POST', `${at()}/ticket/tokens`, { body })
  const holder = { email: 'ana@example.com', card: 'meal-4321' }
  const url = await authorizeCard(openHolderBrowser(system.ready.sandboxUrl), begun.authUrl, holder)
  const pages = await Promise.all(Array.from({ length: times }, async () => (await fetch(url)).text()))
  const headings = pages.map((page) => /<h1[^>]*>([^<]*)/.exec(page)?.[1] ?? '')
  const [told] = await eventually(async () => {
    const all = await heardIn(inbox)
    expect(all).toHaveLength(1)
    return all
  })
  expect(told?.status).toBe('ACTIVE')
  return { voucher: { token: told?.token ?? '', cardBrand: 'TICKET' }, headings }
}

test('the page on which a holder returns, opened 20 times at once: one grant, token and notification', async () => {
  const before = await openGrants()
  const { voucher, headings } = await authorized('opened', 20)
  expect(headings).toContain('Cartão autorizado')
  const others = ['Cartão autorizado', 'Estamos conferindo a autorização']
  expect(headings.filter((heading) => !others.includes(heading))).toEqual([])
  await paid(voucher)
  expect(await openGrants()).toBe(before + 1)
  expect(await heardIn('opened')).toHaveLength(1)
  await remove(voucher)
  await eventually(async () => expect(await openGrants()).toBe(before))
})

test('payments at once with an expiring access token: it is renewed for each in turn, the grant stays', async () => {
  const { voucher } = await authorized('renewed', 1)
  const answers = await many(() => pay(voucher), SOME)
  expect(tally(answers)['201 PAID']).toBeGreaterThan(0)
  await expectWholeBooks(voucher, answers)
  await eventually(() => paid(voucher))
  expect(await heardIn('renewed')).toHaveLength(1)
})

test('a token by redirect that is deleted during payments and their renewals leaves no grant', async () => {
  const before = await openGrants()
  const { voucher } = await authorized('deleted', 1)
  const paying = many(() => pay(voucher), SOME)
  expect((await remove(voucher)).status).toBe(204)
  await expectWholeBooks(voucher, await paying)
  await eventually(async () => expect(await openGrants()).toBe(before))
})

test(
  'payments that come while an issuer is away are each made once when it is back',
  async () => {
    const voucher = await newVoucher(0)
    const asked: Asked[] = []
    const isOver = { now: false }
    const clients = Array.from({ length: SOME }, (_none, nth) =>
      keepPaying(voucher, `away-${nth}`, asked, isOver),
    )
    await issuerIsAway('NOT_REACHED', () => asked.some(({ told }) => told === '503 SERVICE_UNAVAILABLE'))
    await issuerIsAway('ANSWER_LOST', () => asked.some(({ told }) => told === '201 PENDING'))
    isOver.now = true
    await Promise.all(clients)

    const made = new Map<number, string>()
    for (const { key, id } of asked) {
      const { body } = await eventually(async () => {
        const answer = await pay(voucher, key)
        expect(answer.status).toBe(201)
        return answer
      })
      if (id !== undefined) expect(body.id).toBe(id)
      made.set(body.id, key)
    }
    expect(made.size).toBe(asked.length)
    const payments = await inGroups([...made.keys()], settled)
    // On a busy machine a payment may run out of time before it leaves: it is denied, and the issuer does not have it.
    const wanted = payments.map(({ status }) => (status === 'PAID' ? 'APPROVED' : 'nothing'))
    expect(await truthOf(payments)).toEqual(wanted)
    expect(wanted).toContain('APPROVED')
    // A payment that never left is DENIED, and its repeat is another payment.
    const { body: page } = await system.api(
      'GET',
      `${at()}/payments?size=1&status=PAID&token=${voucher.token}`,
    )
    expect(page.totalElements).toBe(payments.filter(({ status }) => status === 'PAID').length)
    process.stdout.write(`${asked.length} payments while an issuer was away\n`)
  },
  600_000 + 10_000 * AWAY_SECONDS,
)

/** Makes calls fail, or lose their answers, for half of the time and until a client has seen it. */
async function issuerIsAway(kind: 'NOT_REACHED' | 'ANSWER_LOST', isSeen: () => boolean): Promise<void> {
  const fault = { partner: 'VOUCHER_ISSUER', kind, times: 10_000, queries: true }
  await system.sandbox('POST', '/faults', fault)
  await setTimeout(AWAY_SECONDS * 500)
  await eventually(async () => expect(isSeen()).toBe(true))
  await fetch(`${system.ready.sandboxUrl}/faults`, { method: 'DELETE' })
}

type Asked = { key: string; told: string; id?: number }

/** Sends one payment after the other, each once; their outcomes are checked later. */
async function keepPaying(
  voucher: Voucher,
  name: string,
  asked: Asked[],
  isOver: { now: boolean },
): Promise<void> {
  for (let nth = 0; !isOver.now; nth += 1) {
    const key = `${name}-${nth}`
    const { status, body } = await pay(voucher, key)
    const told = `${status} ${status === 201 ? body.status : body.code}`
    asked.push({ key, told, ...(status === 201 ? { id: body.id } : {}) })
  }
}

function settled(id: number): Promise<Payment> {
  return eventually(async () => {
    const { body } = await system.api('GET', `${at()}/payments/${id}`)
    expect(body.status).not.toBe('PENDING')
    return body
  })
}
