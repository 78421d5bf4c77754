import { cob, cobv, startPixSandbox, txid, type PixSandbox } from './pix-bank'

let pix: PixSandbox
beforeAll(async () => {
  pix = await startPixSandbox()
})
afterAll(() => pix.end())

const id = txid(1)
const put = (changes: object = {}, wrong = false) => pix.bank('PUT', `/cobv/${id}`, cobv(changes), { wrong })

test.each([
  [{ calendario: { dataDeVencimento: '2020-01-01' } }, 'cobv.calendario.dataDeVencimento'],
  [{ calendario: { validadeAposVencimento: -1 } }, 'cobv.calendario.validadeAposVencimento'],
  [{ valor: { original: '0.00' } }, 'cobv.valor.original'],
  [{ valor: { abatimento: { modalidade: 1, valorPerc: '123.45' } } }, 'cobv.valor.abatimento'],
  [{ valor: { abatimento: { modalidade: 2, valorPerc: '100.00' } } }, 'cobv.valor.abatimento'],
  [{ valor: { desconto: { modalidade: 5, valorPerc: '100.00' } } }, 'cobv.valor.desconto'],
  [{ valor: { desconto: { modalidade: 2, valorPerc: '1.00' } } }, 'cobv.valor.desconto'],
  [{ valor: { desconto: { modalidade: 3, valorPerc: '123.45' } } }, 'cobv.valor.desconto'],
  [
    { valor: { desconto: { modalidade: 1, descontoDataFixa: [{ data: '2049-10-14', valorPerc: '1.00' }] } } },
    'cobv.valor.desconto',
  ],
  [{ loc: { id: 99, tipoCob: 'cobv' } }, 'cobv.loc.id'],
])('%j is refused: %s', async (changes, propriedade) => {
  const { status, body } = await put(changes, 'loc' in changes)
  expect([status, body.violacoes[0].propriedade]).toEqual([400, propriedade])
})

test.each([
  [{ valor: { original: '1,00' } }, 'valor.original'],
  [{ valor: { original: 5 } }, 'valor.original'],
  [{ valor: { multa: { modalidade: 3, valorPerc: '1.00' } } }, 'valor.multa.modalidade'],
  [{ valor: { desconto: { modalidade: 3, descontoDataFixa: [] } } }, 'valor.desconto.descontoDataFixa'],
  [{ calendario: { dataDeVencimento: '2049-02-30' } }, 'calendario.dataDeVencimento'],
  [{ devedor: { nome: 'Ana' } }, 'devedor'],
  [{ devedor: { nome: 'Ana', cpf: '12345678909', cnpj: '12345678000195' } }, 'devedor'],
  [{ chave: 'no key' }, 'chave'],
  [{ surpresa: 1 }, 'surpresa'],
  [{ infoAdicionais: [{ nome: 'x'.repeat(51), valor: '' }] }, 'infoAdicionais.0.nome'],
])('%j breaks the schema: %s, and no value is repeated', async (changes, propriedade) => {
  const { status, body } = await put(changes, true)
  expect([status, body.violacoes.map((one: { propriedade: string }) => one.propriedade)]).toMatchObject([
    400,
    [propriedade],
  ])
  expect(JSON.stringify(body)).not.toContain('1,00')
})

test.each(['short', 'x'.repeat(36), `${'x'.repeat(30)}-`])('the txid %s is refused', async (wrong) => {
  const { status, body } = await pix.bank('PUT', `/cobv/${wrong}`, cobv())
  expect([status, body.violacoes[0].propriedade]).toEqual([400, 'txid'])
})

test.each([
  [{ calendario: { expiracao: 0 } }, 'cob.calendario.expiracao'],
  [{ valor: { original: '0.00' } }, 'cob.valor.original'],
])('an immediate charge with %j is refused: %s', async (changes, propriedade) => {
  const { status, body } = await pix.bank('PUT', `/cob/${id}`, cob(changes))
  expect([status, body.violacoes[0].propriedade]).toEqual([400, propriedade])
})
