import { startTestSandbox, type TestSandbox } from '../support'
import { age, callVr, payVr, VR_APPROVED, VR_SELLER, vouchersOf } from './card-vouchers'

let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await startTestSandbox()
})
afterAll(() => sandbox.end())

const endingIn = (digit: string) => `637036123456780${digit}`

test.each(['0', '1', '4'])('a card that ends in %s is approved', async (digit) => {
  const { status, body } = await payVr(sandbox, `ok-${digit}`, { number: endingIn(digit) })
  expect(status).toBe(201)
  expect(body).toEqual({
    nsuLoja: `ok-${digit}`,
    nsuHost: expect.stringMatching(/^\d{12}$/),
    situacao: 'AUTORIZADA',
    codigoRetorno: '000',
    autorizacao: expect.stringMatching(/^\d{6}$/),
    valor: '35.00',
  })
})

test.each([
  ['2', '100'],
  ['3', '119'],
  ['5', '112'],
  ['6', '911'],
  ['7', '105'],
  ['8', '118'],
])('a card that ends in %s is declined with %s, and answered normally', async (digit, codigoRetorno) => {
  const { status, body } = await payVr(sandbox, `no-${digit}`, { number: endingIn(digit) })
  expect(status).toBe(201)
  expect(body).toMatchObject({ situacao: 'NEGADA', codigoRetorno, autorizacao: null })
})

test('a card that ends in 9 is approved and its answer is lost: a query finds the payment', async () => {
  await expect(payVr(sandbox, 'lost', { number: endingIn('9') })).rejects.toThrow()
  const { status, body } = await callVr(sandbox, 'GET', 'lost')
  expect([status, body.situacao]).toEqual([200, 'AUTORIZADA'])
})

test('the amount is in reais with two decimals, and the control shows it in cents', async () => {
  await payVr(sandbox, 'reais', { body: { valor: '1234.05', produto: 'VR_ALIMENTACAO' } })
  expect((await callVr(sandbox, 'GET', 'reais')).body.valor).toBe('1234.05')
  expect(await vouchersOf(sandbox, 'reais')).toEqual([
    {
      brand: 'VR',
      paymentId: expect.stringMatching(/^\d{12}$/),
      orderNumber: 'reais',
      amount: 123_405,
      status: 'APPROVED',
      product: 'FOOD',
      cardLastFour: VR_APPROVED.slice(-4),
    },
  ])
})

test('a known number of the seller is refused and nothing is done', async () => {
  await payVr(sandbox, 'twice')
  const { status, body } = await payVr(sandbox, 'twice', { body: { valor: '0.01' } })
  expect([status, body]).toEqual([409, { codigo: 'NSU_REPETIDO' }])
  expect(await vouchersOf(sandbox, 'twice')).toMatchObject([{ amount: 3500 }])
})

const cartao = { numero: VR_APPROVED, nome: 'ANA', validade: '204908' }
test.each([
  ['valor', { valor: '35' }],
  ['valor', { valor: '35,00' }],
  ['valor', { valor: '0.00' }],
  ['valor', { valor: 35 }],
  ['produto', { produto: 'REFEICAO' }],
  ['documento', { documento: '1' }],
  ['cartao', { cartao: undefined }],
  ['cartao.numero', { cartao: { ...cartao, numero: '1' } }],
  ['cartao.nome', { cartao: { ...cartao, nome: '' } }],
  ['cartao.validade', { cartao: { ...cartao, validade: '08/2049' } }],
  ['cartao.codigoSeguranca', { cartao: { ...cartao, codigoSeguranca: 'x' } }],
])('a refusal of a wrong %s names it: %j', async (campo, body) => {
  const answer = await payVr(sandbox, 'wrong', { body })
  expect([answer.status, answer.body]).toEqual([400, { codigo: 'PEDIDO_INVALIDO', campo }])
  expect(await vouchersOf(sandbox, 'wrong')).toEqual([])
})

test('a refusal of a wrong number of the seller names it; a CVV may be absent', async () => {
  expect((await payVr(sandbox, 'a.b')).body).toEqual({ codigo: 'PEDIDO_INVALIDO', campo: 'nsuLoja' })
  expect((await payVr(sandbox, 'no-cvv', { body: { cartao } })).status).toBe(201)
})

test('a payment is canceled once; a repetition gets the same answer, even on a later day', async () => {
  await payVr(sandbox, 'gone')
  const first = await callVr(sandbox, 'POST', 'gone/estorno')
  expect([first.status, first.body.situacao]).toEqual([200, 'ESTORNADA'])
  await age(sandbox, 'gone', 1)
  expect((await callVr(sandbox, 'POST', 'gone/estorno')).body).toEqual(first.body)
  expect((await callVr(sandbox, 'GET', 'gone')).body).toEqual(first.body)
})

test('a payment cannot be canceled from the next day on, and a declined one never', async () => {
  await payVr(sandbox, 'late')
  await age(sandbox, 'late', 1)
  const late = await callVr(sandbox, 'POST', 'late/estorno')
  expect([late.status, late.body]).toEqual([422, { codigo: 'FORA_DO_PRAZO' }])
  await payVr(sandbox, 'denied', { number: endingIn('2') })
  const denied = await callVr(sandbox, 'POST', 'denied/estorno')
  expect([denied.status, denied.body]).toEqual([422, { codigo: 'TRANSACAO_NEGADA' }])
})

test('an unknown payment is 404, and another seller sees nothing', async () => {
  const other = { 'x-vr-estabelecimento': '50607080', 'x-vr-chave': 'other-key-0123456789' }
  await payVr(sandbox, 'mine')
  for (const answer of [await callVr(sandbox, 'GET', 'never'), await callVr(sandbox, 'GET', 'mine', other)]) {
    expect([answer.status, answer.body]).toEqual([404, { codigo: 'NAO_ENCONTRADA' }])
  }
  expect((await callVr(sandbox, 'POST', 'mine/estorno', other)).status).toBe(404)
})

test.each([
  ['no code', { 'x-vr-chave': VR_SELLER['x-vr-chave'] }],
  ['no key', { 'x-vr-estabelecimento': VR_SELLER['x-vr-estabelecimento'] }],
  ['another key', { ...VR_SELLER, 'x-vr-chave': 'another-key-0123456789' }],
])('%s is refused', async (_name, headers) => {
  await payVr(sandbox, 'first-key')
  const { status, body } = await payVr(sandbox, 'nobody', { headers })
  expect([status, body]).toEqual([401, { codigo: 'NAO_AUTORIZADO' }])
})
