import { startListener } from '../bank/bank-slips'
import { paymentsOf, query, sell } from '../sales'
import { startTestSandbox, type TestSandbox } from '../support'
import { askToken, certifiedAgent, dispute, ESTABLISHMENT, openSeller, PDF, truthOf } from './cases'

let sandbox: TestSandbox
let seller: Awaited<ReturnType<typeof openSeller>>
beforeEach(async () => {
  sandbox = await startTestSandbox()
  seller = await openSeller(sandbox)
})
afterEach(async () => {
  seller.end()
  await sandbox.end()
})

test('a dispute is listed with the names of its sale, in reais, with a deadline in business days', async () => {
  const opened = await dispute(sandbox, 'A1', { amountInCents: 4_099, daysToAnswer: 5 })
  const { body } = await seller.list('PENDING')
  const payment = (await query(sandbox, `sales/${opened.paymentId}`)).body.Payment

  expect(body.content).toHaveLength(1)
  expect(body.content[0]).toMatchObject({
    idCase: Number(opened.idCase),
    idChargeback: Number(opened.idChargeback),
    establishmentNumber: Number(ESTABLISHMENT),
    process: 'PRIMEIRO_CHARGEBACK',
    treatmentDeadline: opened.deadline,
    remainingDaysToTreat: 5,
    transactionAmount: 40.99,
    lifecycle: { action: 'Em análise com o Cliente' },
    transactionDetails: {
      authorization: payment.AuthorizationCode,
      nsu: Number(payment.ProofOfSale),
      tid: payment.Tid,
      truncatedCard: '411111******1111',
    },
    chargebackDetails: { reasonCode: '104' },
  })
  expect([0, 6]).not.toContain(new Date(`${opened.deadline}T12:00:00Z`).getUTCDay())
})

test('lists are filtered and paged; an empty one says so by its code', async () => {
  const opened = []
  for (const order of ['A1', 'A2', 'A3']) opened.push(await dispute(sandbox, order, { reasonCode: '131' }))
  const ids = async (filter: object, paging?: string) => {
    const { body } = await seller.list('PENDING', filter, paging)
    return body.content?.map((each: { idCase: number }) => String(each.idCase)) ?? body.code
  }
  const [first, second, third] = opened.map(({ idCase }) => idCase)
  expect(await ids({}, 'page=0&pageSize=2')).toEqual([first, second])
  expect(await ids({}, 'page=1&pageSize=2')).toEqual([third])
  expect(await ids({}, 'page=2&pageSize=2')).toBe('103')
  expect(await ids({}, 'page=0&pageSize=3&orderBy=treatmentDeadline&order=desc')).toEqual([
    third,
    second,
    first,
  ])
  expect(await ids({ idCase: second })).toEqual([second])
  expect(await ids({ tid: opened[2].tid })).toEqual([third])
  expect(await ids({ reason: ['104'] })).toBe('103')
  expect(await ids({ process: [3] })).toBe('103')
  expect(await ids({ establishmentNumber: ['1234567890'] })).toBe('103')
})

test.each([
  ['a page of more than 200', 'PENDING', {}, 'page=0&pageSize=201', '138'],
  ['no establishment', 'PENDING', { establishmentNumber: [] }, undefined, '909'],
  ['treated cases without a period', 'DONE', {}, undefined, '900'],
  [
    'more than 180 days',
    'DONE',
    { startNotificationPeriod: '2026-01-01', endNotificationPeriod: '2026-07-01' },
    undefined,
    '906',
  ],
])('a list is refused for %s', async (_, status, filter, page, code) => {
  expect((await seller.list(status, filter, page)).body).toMatchObject({ code })
})

test('an accepted case is treated at once, and nobody can answer it again', async () => {
  const opened = await dispute(sandbox, 'A1')
  expect((await seller.accept(opened.idChargeback)).body).toMatchObject([{ code: '101' }])
  expect((await seller.accept(opened.idChargeback)).body).toMatchObject([{ code: '931' }])
  expect(await seller.refuse(opened)).toMatchObject({ status: 412, body: { code: '931' } })

  expect((await seller.list('PENDING')).body.code).toBe('103')
  expect(await seller.done()).toMatchObject([
    { actionTakenCode: 'ACATAR', lifecycle: { action: 'A favor do Emissor' } },
  ])
  expect((await truthOf(sandbox, opened)).answers.map(({ code }: { code: string }) => code)).toEqual([
    '101',
    '931',
    '931',
  ])
})

test('two answers at once: one is taken', async () => {
  const opened = await dispute(sandbox, 'A1')
  const answers = await Promise.all([
    seller.refuse(opened),
    seller.accept(opened.idChargeback),
    seller.refuse(opened),
  ])
  const codes = answers.map(({ body }) => body.code ?? body[0].code)
  expect(codes.filter((code) => code !== '931')).toHaveLength(1)
})

test('a defence is kept with its file, and the case is with the issuer until it is won', async () => {
  const opened = await dispute(sandbox, 'A1')
  const path = `/supportDocument/${ESTABLISHMENT}/${opened.idChargeback}`
  expect((await seller.call('GET', path)).body.code).toBe('927')
  expect((await seller.refuse(opened)).body.code).toBe('102')
  expect(await seller.done()).toMatchObject([
    { actionTakenCode: 'RECUSAR', lifecycle: { action: 'Em análise com o Emissor' } },
  ])
  const document = (await seller.call('GET', path)).body
  expect(document).toMatchObject({ nameFile: `${opened.idCase}.pdf`, codigo: '104' })
  expect(Buffer.from(document.file[0], 'base64').equals(PDF)).toBe(true)

  await sandbox.control('POST', `/acquirer/chargebacks/${opened.idChargeback}/win`)
  const steps = (await seller.call('GET', `/lifecycle/${opened.idCase}`)).body
  expect(steps.map(({ action }: { action: string }) => action)).toEqual([
    'Em análise com o Cliente',
    'Em análise com o Emissor',
    'A favor do Estabelecimento',
  ])
})

test('a defence may come as JSON with the file in base64', async () => {
  const { idChargeback } = await dispute(sandbox, 'A1')
  const fields = { establishmentNumber: ESTABLISHMENT, idChargeback, reasonToRefuse: 'x', userName: 'a@b.c' }
  const sent = await seller.call('PUT', '/refuse', { ...fields, file: [PDF.toString('base64')] })
  expect(sent.body.code).toBe('102')
})

test.each([
  ['no file', { file: null }, '904'],
  ['a name that is not the case’s', { name: 'nota.pdf' }, '929'],
  ['a kind that is not a document', { file: Buffer.from('PK zip') }, '903'],
  ['more than 8 MB', { file: Buffer.concat([PDF, Buffer.alloc(8 * 1024 * 1024)]) }, '903'],
  ['a reason of 101 characters', { reason: 'x'.repeat(101) }, '905'],
  ['a case of somebody else', { id: '1' }, '902'],
])('a defence is refused for %s', async (_, change, code) => {
  const opened = await dispute(sandbox, 'A1')
  expect((await seller.refuse(opened, change)).body.code).toBe(code)
  expect((await seller.list('PENDING')).body.content).toHaveLength(1)
})

test('a case that nobody answers in time is lost', async () => {
  const opened = await dispute(sandbox, 'A1', { daysToAnswer: 3 })
  await sandbox.control('POST', `/acquirer/chargebacks/${opened.idChargeback}/expire`)
  expect((await seller.accept(opened.idChargeback)).body).toMatchObject([{ code: '931' }])
  expect((await truthOf(sandbox, opened)).status).toBe('EXPIRED')
})

test('a lost case shows in the sale’s query, and the sale’s amounts stay', async () => {
  const opened = await dispute(sandbox, 'A1', { amountInCents: 2_500 })
  const saleOf = async () => (await query(sandbox, `sales/${opened.paymentId}`)).body.Payment
  expect((await saleOf()).Chargebacks).toBeUndefined()
  await sandbox.control('POST', `/acquirer/chargebacks/${opened.idChargeback}/lose`)
  expect(await saleOf()).toMatchObject({
    Status: 2,
    CapturedAmount: 10_000,
    Chargebacks: [{ Amount: 2_500, CaseNumber: opened.idCase, ReasonCode: '104', Status: 'Received' }],
  })
  expect(await paymentsOf(sandbox, 'A1')).toMatchObject([{ voidedAmount: 0 }])
})

test('a case may go on with another stage, under its own name and another id', async () => {
  const first = await dispute(sandbox, 'A1')
  const next = { idCase: first.idCase, stage: 'ARBITRATION' }
  expect((await sandbox.control('POST', '/acquirer/chargebacks', next)).status).toBe(409)
  await sandbox.control('POST', `/acquirer/chargebacks/${first.idChargeback}/win`)
  const second = (await sandbox.control('POST', '/acquirer/chargebacks', next)).body

  expect(second).toMatchObject({ idCase: first.idCase, paymentId: first.paymentId })
  expect(second.idChargeback).not.toBe(first.idChargeback)
  expect((await seller.list('PENDING')).body.content).toMatchObject([{ process: 'ARBITRAGEM' }])
  expect((await sandbox.control('POST', `/acquirer/chargebacks/${first.idChargeback}/lose`)).status).toBe(409)
})

test('a token and a certificate are wanted on every call, and tokens can end early', async () => {
  const { call, chargebacksUrl, agent } = sandbox
  const bare = await call('POST', `${chargebacksUrl}/PENDING?page=0&pageSize=1`, { body: {} })
  expect(bare.status).toBe(403)
  expect((await askToken(sandbox, agent)).status).toBe(403)
  const certified = await certifiedAgent(sandbox)
  expect((await askToken(sandbox, certified, { client_secret: 'wrong-secret' })).status).toBe(401)
  expect((await askToken(sandbox, certified, { grant_type: 'password' })).status).toBe(400)
  certified.destroy()

  await sandbox.control('POST', '/acquirer/chargebacks/end-tokens')
  expect((await seller.list('PENDING')).status).toBe(401)
})

test('where an authority is set, a certificate of another one is not taken', async () => {
  const strict = await startTestSandbox({ clientAuthority: sandbox.config.tls.cert })
  const stranger = await certifiedAgent(strict)
  expect((await askToken(strict, stranger)).status).toBe(403)
  stranger.destroy()
  await strict.end()
})

test('cases, answers and files survive a restart; tokens do not', async () => {
  const opened = await dispute(sandbox, 'A1')
  await seller.refuse(opened)
  seller.end()
  sandbox = await sandbox.restart()
  seller = await openSeller(sandbox)
  const path = `/supportDocument/${ESTABLISHMENT}/${opened.idChargeback}`
  expect((await seller.call('GET', path)).body.file).toEqual([PDF.toString('base64')])
  expect((await truthOf(sandbox, opened)).answers).toMatchObject([{ kind: 'REFUSE', code: '102' }])
})

test('an answer may be lost after it was taken; the repeat is told that it was', async () => {
  const opened = await dispute(sandbox, 'A1')
  await sandbox.control('POST', '/faults', { partner: 'CHARGEBACKS', kind: 'ANSWER_LOST' })
  await expect(seller.refuse(opened)).rejects.toThrow()
  expect((await seller.refuse(opened)).body.code).toBe('931')
  await sandbox.control('POST', '/faults', {
    partner: 'CHARGEBACKS',
    kind: 'HTTP_500',
    queries: true,
    changes: false,
  })
  expect((await seller.list('DONE')).status).toBe(500)
})

test('the platform is told of each new case and change, and not of one whose webhook is lost', async () => {
  const listener = await startListener(1)
  const toldTimes = async (count: number) => {
    while (listener.told.length < count) await new Promise((resolve) => setImmediate(resolve))
  }
  seller.end()
  await sandbox.end()
  sandbox = await startTestSandbox({ disputeWebhookUrl: listener.url })
  seller = await openSeller(sandbox)
  await dispute(sandbox, 'A1', { webhook: 'lost' })
  const second = await dispute(sandbox, 'A2')
  // The first try was refused.
  await toldTimes(2)
  await sandbox.control('POST', `/acquirer/chargebacks/${second.idChargeback}/lose`, { webhook: 'sent' })
  await toldTimes(3)
  const told = listener.told.map(({ body }) => JSON.parse(body))
  expect(told.map(({ idCase }) => String(idCase))).toEqual(Array(3).fill(second.idCase))
  expect(told[2].lifecycle.action).toBe('A favor do Emissor')
  await listener.close()
})

test('the control refuses what it does not know, and the page disputes by a form', async () => {
  expect((await sandbox.control('POST', '/acquirer/chargebacks', { merchantOrderId: 'nobody' })).status).toBe(
    404,
  )
  expect((await sandbox.control('POST', '/acquirer/chargebacks', {})).status).toBe(400)
  await sell(sandbox, { orderId: 'not-captured' })
  expect(
    (await sandbox.control('POST', '/acquirer/chargebacks', { merchantOrderId: 'not-captured' })).status,
  ).toBe(404)

  await sell(sandbox, { orderId: 'A1', capture: true })
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  const body = 'merchantOrderId=A1&amountInCents=&stage=RETRIEVAL'
  const sent = await sandbox.call('POST', `${sandbox.url}/acquirer/chargebacks`, { body, headers })
  expect(sent.status).toBe(303)
  expect((await sandbox.control('GET', '/')).body).toContain('RETRIEVAL</td>')
  expect((await seller.list('PENDING')).body.content).toMatchObject([
    { process: 'COBRANCA_AMIGAVEL', transactionAmount: 100 },
  ])
})
