import { startTestSandbox, type TestSandbox } from '../support'
import { ACCOUNT, AGREEMENT, callBank, slip } from './bank-slips'

let sandbox: TestSandbox
beforeEach(async () => {
  sandbox = await startTestSandbox()
})
afterEach(() => sandbox.end())

const register = (number: number, changes: object = {}) =>
  callBank(sandbox, 'POST', '', slip(number, changes))
const numberOf = (number: number) => slip(number).nossoNumero
const fault = (kind: string, change = {}) =>
  sandbox.control('POST', '/faults', { partner: 'BANK', kind, ...change })

/** Where a payer lives, in the bank's words. */
const PLACE = {
  logradouro: 'Rua das Flores, 120',
  bairro: 'Centro',
  cidade: 'Sao Paulo',
  uf: 'SP',
  cep: '01310100',
}
const payer = (changes: object) => ({ pagador: { ...slip(1).pagador, ...changes } })

test('the sandbox shows what the bank was told of the payer', async () => {
  await register(9, payer({ endereco: PLACE }))
  const { body } = await sandbox.control('GET', '/boletos')
  expect(body[0].payer).toEqual({ document: '12345678909', name: 'Ana Souza', address: PLACE })
})

test('a slip is registered with its barcode, digitable line and beneficiary', async () => {
  const { status, body } = await register(42, { dataVencimento: '2049-10-13' })
  expect(status).toBe(201)
  expect(body).toMatchObject({
    nossoNumero: '12345670000000042',
    situacao: 'REGISTRADO',
    codigoBarras: expect.stringMatching(/^0019\d99990000012345000000123456700000000421 ?7$/),
    linhaDigitavel: expect.stringMatching(/^00190000090123456700400000042176\d99990000012345$/),
    valorOriginal: 123.45,
    beneficiario: { agencia: '1234-3', cpfCnpj: expect.stringMatching(/^\d{14}$/) },
    pagamentos: [],
  })
})

test('a repeated number is a duplicate, and a query finds the first slip', async () => {
  await register(1)
  const again = await register(1, { valorOriginal: 5 })
  expect([again.status, again.body]).toEqual([409, { erro: 'BOLETO_DUPLICADO', campo: 'nossoNumero' }])
  const { body } = await callBank(sandbox, 'GET', `/${numberOf(1)}?numeroConvenio=${AGREEMENT}`)
  expect(body.valorOriginal).toBe(123.45)
})

test.each([
  [{ nossoNumero: '12345670000000001x' }, 400, 'nossoNumero'],
  [{ nossoNumero: '76543210000000001' }, 400, 'nossoNumero'],
  [{ numeroConvenio: '7654321' }, 400, 'numeroConvenio'],
  [{ valorOriginal: 100_000_000 }, 400, 'valorOriginal'],
  [{ valorOriginal: 0 }, 400, 'valorOriginal'],
  [{ valorOriginal: 1.005 }, 400, 'valorOriginal'],
  [{ dataVencimento: '2020-01-01', dataLimitePagamento: '2049-01-01' }, 422, 'dataVencimento'],
  [{ dataLimitePagamento: '2049-10-12' }, 400, 'dataLimitePagamento'],
  [{ descontos: [] }, 400, 'descontos'],
  [{ descontos: [{ data: '2049-10-14', valor: 1 }] }, 400, 'descontos'],
  [{ descontos: [{ data: '2049-10-13', valor: 123.45 }] }, 400, 'descontos'],
  [{ descontos: ['2049-10-12', '2049-10-13'].map((data) => ({ data, valor: 1 })) }, 400, 'descontos'],
  [{ descontos: [2, 1].map((valor) => ({ data: '2049-10-13', valor })) }, 400, 'descontos'],
  [{ surpresa: 1 }, 400, 'corpo'],
  [payer({ nome: 'João' }), 400, 'pagador.nome'],
  [payer({ nome: 'Ana \ud83d' }), 400, 'pagador.nome'],
  [payer({ nome: 'A'.repeat(61) }), 400, 'pagador.nome'],
  [payer({ endereco: { ...PLACE, cidade: 'Łódź' } }), 400, 'pagador.endereco.cidade'],
  [payer({ endereco: { ...PLACE, cep: undefined } }), 400, 'pagador.endereco.cep'],
])('%j is refused: %i %s', async (changes, status, campo) => {
  const answer = await register(1, changes)
  expect([answer.status, answer.body.campo]).toEqual([status, campo])
})

test('the first call sets an agreement’s key; another key, or none, is refused', async () => {
  await register(1)
  const wrong = { ...ACCOUNT, 'x-chave-acesso': 'another-key-0123456789' }
  const faulty: Record<string, string>[] = [wrong, { 'x-convenio': AGREEMENT }, {}]
  for (const headers of faulty) {
    const answer = await callBank(sandbox, 'GET', `/${numberOf(1)}`, undefined, headers)
    expect([answer.status, answer.body.erro]).toEqual([401, 'NAO_AUTORIZADO'])
  }
  const other = { ...ACCOUNT, 'x-convenio': '7654321' }
  expect((await callBank(sandbox, 'GET', `/${numberOf(1)}`, undefined, other)).status).toBe(404)
})

test('a slip can be cancelled repeatedly, a paid one cannot', async () => {
  const { body } = await register(1)
  for (let times = 0; times < 2; times += 1) {
    const cancelled = await callBank(sandbox, 'POST', `/${numberOf(1)}/baixar`, {})
    expect([cancelled.status, cancelled.body.situacao]).toEqual([200, 'BAIXADO'])
  }
  await sandbox.control('POST', `/boletos/${body.linhaDigitavel}/pay`, {})
  const refused = await callBank(sandbox, 'POST', `/${numberOf(1)}/baixar`, {})
  expect([refused.status, refused.body.erro]).toEqual([422, 'BOLETO_LIQUIDADO'])
  expect((await callBank(sandbox, 'GET', `/${numberOf(1)}`)).body.situacao).toBe('LIQUIDADO')
})

test('ANSWER_LOST and DONE_500 register the slip, HTTP_500 does not', async () => {
  await fault('ANSWER_LOST')
  await expect(register(1)).rejects.toThrow()
  await fault('HTTP_500')
  expect((await register(2)).status).toBe(500)
  await fault('DONE_500')
  expect((await register(3)).status).toBe(500)
  const found = [1, 2, 3].map(
    async (number) => (await callBank(sandbox, 'GET', `/${numberOf(number)}`)).status,
  )
  expect(await Promise.all(found)).toEqual([200, 404, 200])
})

test('NOT_REACHED with queries refuses every connection until the fault is cleared', async () => {
  await fault('NOT_REACHED', { times: 10_000, queries: true })
  await expect(register(1)).rejects.toThrow(/ECONNRESET|before secure TLS/)
  await sandbox.control('DELETE', '/faults')
  expect((await register(1)).status).toBe(201)
})

test('registered slips and their payments survive a restart', async () => {
  const { body } = await register(1)
  await sandbox.control('POST', `/boletos/${body.linhaDigitavel}/pay`, {})
  sandbox = await sandbox.restart()
  const slips = (await sandbox.control('GET', '/boletos')).body
  expect(slips).toMatchObject([{ status: 'LIQUIDADO', payments: [{ amount: 12_345 }] }])
})
