import { checkDigits, readFields } from './br-code-reader'
import { cob, cobv, KEY, startPixSandbox, txid, type PixSandbox } from './pix-bank'

let pix: PixSandbox
beforeEach(async () => {
  pix = await startPixSandbox()
})
afterEach(() => pix.end())

const id = txid(1)
const put = (changes: object = {}, wrong = false) => pix.bank('PUT', `/cobv/${id}`, cobv(changes), { wrong })
const get = (query = '') => pix.bank('GET', `/cobv/${id}${query}`)
const patch = (changes: object, wrong = false) => pix.bank('PATCH', `/cobv/${id}`, changes, { wrong })
const REMOVED = { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' }

test('a charge with a due date is created with its receiver, its location and a BR Code that leads there', async () => {
  const { status, body } = await put()
  expect([status, body]).toMatchObject([
    201,
    {
      txid: id,
      revisao: 0,
      status: 'ATIVA',
      calendario: { dataDeVencimento: '2049-10-13', validadeAposVencimento: 30 },
      loc: { tipoCob: 'cobv' },
      recebedor: { nome: 'Recebedor de Teste padaria-sol', cnpj: expect.stringMatching(/^\d{14}$/) },
      valor: { original: '123.45' },
      chave: KEY,
    },
  ])
  const text: string = body.pixCopiaECola
  expect(readFields(text)).toMatchObject({
    '01': '12',
    26: { '00': 'br.gov.bcb.pix', 25: body.loc.location },
    62: { '05': '***' },
    63: checkDigits(text.slice(0, -4)),
  })
  expect(readFields(text)).not.toHaveProperty('54')
  expect((await get()).body).toEqual(body)
})

test('an immediate charge lives a day unless told otherwise, and its txid may be the bank’s', async () => {
  const { body } = await pix.bank('PUT', `/cob/${id}`, cob({ calendario: {} }))
  expect(body).toMatchObject({ status: 'ATIVA', calendario: { expiracao: 86_400 }, loc: { tipoCob: 'cob' } })
  const { body: own } = await pix.bank('POST', '/cob', cob())
  expect((await pix.bank('GET', `/cob/${own.txid}`)).body).toEqual(own)
})

test('the same creation again is the same charge, in every status; another content is its next revision', async () => {
  const { body: first } = await put()
  expect((await put()).body).toEqual(first)
  const { status, body: second } = await put({ valor: { original: '5.00' } })
  expect([status, second]).toMatchObject([201, { revisao: 1, valor: { original: '5.00' }, loc: first.loc }])
  await patch(REMOVED)
  expect((await put({ valor: { original: '5.00' } })).body).toMatchObject({ ...REMOVED, revisao: 2 })
  const altered = await put({ valor: { original: '6.00' } })
  expect([altered.status, altered.body]).toMatchObject([
    400,
    {
      type: 'https://pix.bcb.gov.br/api/v2/error/CobVOperacaoInvalida',
      violacoes: [{ propriedade: 'cobv.status', razao: expect.stringContaining('não está ATIVA') }],
    },
  ])
})

test('a txid belongs to one charge of either kind', async () => {
  await put()
  const { status, body } = await pix.bank('PUT', `/cob/${id}`, cob())
  expect([status, body.violacoes[0].propriedade]).toEqual([400, 'txid'])
  expect((await pix.bank('GET', `/cob/${id}`)).status).toBe(404)
})

test('a revision changes what it names, counts up, and older ones can be read', async () => {
  await put({ valor: { multa: { modalidade: 2, valorPerc: '2.00' } } })
  const { body } = await patch({ valor: { original: '200.00' }, solicitacaoPagador: 'Fatura 2' })
  expect(body).toMatchObject({
    revisao: 1,
    valor: { original: '200.00', multa: { modalidade: 2, valorPerc: '2.00' } },
    solicitacaoPagador: 'Fatura 2',
    devedor: { nome: 'Ana Souza' },
  })
  // Nothing changed.
  expect((await patch({ valor: { original: '200.00' } })).body.revisao).toBe(1)
  expect((await get('?revisao=0')).body).toMatchObject({ revisao: 0, valor: { original: '123.45' } })
  const missing = await get('?revisao=2')
  expect([missing.status, missing.body.violacoes[0].propriedade]).toEqual([400, 'revisao'])
})

test('a charge is withdrawn alone and once', async () => {
  await put()
  const mixed = await patch({ ...REMOVED, solicitacaoPagador: 'x' })
  expect([mixed.status, mixed.body.violacoes[0].propriedade]).toEqual([400, 'cobv.status'])
  expect((await patch(REMOVED)).body).toMatchObject({ ...REMOVED, revisao: 1 })
  expect((await patch(REMOVED)).status).toBe(400)
})

test('a location of one’s own shows one charge of its kind', async () => {
  const { body: loc } = await pix.bank('POST', '/loc', { tipoCob: 'cobv' })
  const at = { loc: { id: loc.id, tipoCob: 'cobv' } }
  expect((await put(at)).body.loc).toEqual(loc)
  expect((await pix.bank('GET', `/loc/${loc.id}`)).body).toEqual({ ...loc, txid: id })
  const twice = await pix.bank('PUT', `/cobv/${txid(2)}`, cobv(at))
  const mixed = await pix.bank('PUT', `/cob/${txid(3)}`, cob(at))
  expect([twice.body.violacoes[0].propriedade, mixed.body.violacoes[0].propriedade]).toEqual([
    'cobv.loc.id',
    'cob.loc.id',
  ])
  // Another location is no revision.
  const { body: other } = await pix.bank('POST', '/loc', { tipoCob: 'cobv' })
  const moved = await patch({ loc: { id: other.id, tipoCob: 'cobv' } })
  expect(moved.body).toMatchObject({ revisao: 0, loc: { id: other.id } })
  const { body: free } = await pix.list('/loc', 'txIdPresente=false')
  expect(free.loc.map(({ id: number }: { id: number }) => number)).toEqual([loc.id])
})

test('charges are listed by time, payer and status, in pages', async () => {
  for (let number = 1; number <= 5; number += 1) await pix.bank('PUT', `/cobv/${txid(number)}`, cobv())
  await pix.bank('PATCH', `/cobv/${txid(5)}`, REMOVED)
  await pix.bank('PUT', `/cob/${txid(6)}`, cob())
  const pages = 'status=ATIVA&cpf=12345678909&paginacao.itensPorPagina=3'
  const { body } = await pix.list('/cobv', `${pages}&paginacao.paginaAtual=1`)
  expect(body.parametros).toMatchObject({
    status: 'ATIVA',
    paginacao: { paginaAtual: 1, itensPorPagina: 3, quantidadeDePaginas: 2, quantidadeTotalDeItens: 4 },
  })
  expect(body.cobs.map((one: { txid: string }) => one.txid)).toEqual([txid(4)])
  expect((await pix.list('/cobv', 'cpf=00000000000')).body.cobs).toEqual([])
  expect((await pix.list('/cob', 'cnpj=12345678000195')).body.cobs).toHaveLength(1)
  const before = '/cobv?inicio=2020-01-01T00:00:00Z&fim=2020-01-02T00:00:00Z'
  expect((await pix.bank('GET', before)).body.parametros.paginacao.quantidadeDePaginas).toBe(1)
})

test('charges survive a restart', async () => {
  const { body } = await put()
  const seller = pix.seller
  const restarted = await pix.restart()
  const truth = (await restarted.control('GET', `/pix/charges?txid=${id}`)).body
  expect(truth).toMatchObject([{ txid: id, copyAndPaste: body.pixCopiaECola, status: 'ATIVA' }])
  await restarted.end()
  seller.agent.destroy()
  pix = await startPixSandbox()
})
