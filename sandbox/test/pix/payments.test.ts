import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { cob, cobv, KEY, startPixSandbox, txid, type PixSandbox } from './pix-bank'

let pix: PixSandbox
beforeEach(async () => {
  pix = await startPixSandbox()
})
afterEach(() => pix.end())

const id = txid(1)
const LATE = {
  original: '100.00',
  multa: { modalidade: 2, valorPerc: '2.00' },
  juros: { modalidade: 1, valorPerc: '0.10' },
}
const create = (valor: object = LATE) => pix.bank('PUT', `/cobv/${id}`, cobv({ valor }))
const get = () => pix.bank('GET', `/cobv/${id}`)
const noon = (day: string) => Date.parse(`${day}T12:00:00-03:00`)
const pay = (body: object = {}) => pix.control('POST', '/pix/pay', { txid: id, ...body })

test('a payer pays what is due today, and the charge is CONCLUIDA with its Pix', async () => {
  const { body } = await create()
  expect((await pix.control('POST', '/pix/pay', { copyAndPaste: body.pixCopiaECola })).status).toBe(200)
  const { body: paid } = await get()
  expect(paid).toMatchObject({
    status: 'CONCLUIDA',
    revisao: 0,
    pix: [
      {
        endToEndId: expect.stringMatching(/^E99999008\d{12}\w{11}$/),
        txid: id,
        valor: '100.00',
        componentesValor: { original: { valor: '100.00' } },
        chave: KEY,
        pagador: { cpf: '12345678909', nome: 'Ana Souza' },
      },
    ],
  })
  const { body: received } = await pix.bank('GET', `/pix/${paid.pix[0].endToEndId}`)
  expect(received).toEqual(paid.pix[0])
})

test('a late payer pays fine and interest, an early one less, and the Pix says what it consists of', async () => {
  await create({
    ...LATE,
    abatimento: { modalidade: 1, valorPerc: '10.00' },
    desconto: { modalidade: 3, valorPerc: '0.50' },
  })
  await pay({ paidAt: noon('2049-10-16') })
  const { body } = await get()
  expect(body.pix[0]).toMatchObject({
    valor: '92.10',
    horario: '2049-10-16T15:00:00.000Z',
    componentesValor: {
      original: { valor: '100.00' },
      abatimento: { valor: '10.00' },
      multa: { valor: '1.80' },
      juros: { valor: '0.30' },
    },
  })
  await pix.bank(
    'PUT',
    `/cobv/${txid(2)}`,
    cobv({ valor: { original: '100.00', desconto: { modalidade: 3, valorPerc: '0.50' } } }),
  )
  const early = await pix.control('POST', '/pix/pay', { txid: txid(2), paidAt: noon('2049-10-11') })
  expect(early.body.payments[0]).toMatchObject({ amount: 9_900, components: { desconto: 100 } })
})

test('a paid, withdrawn or expired charge and another amount are refused, but for a payment that slipped through', async () => {
  await create()
  expect((await pay({ amountInCents: 5_000 })).status).toBe(422)
  expect((await pay({ paidAt: noon('2049-11-16') })).status).toBe(422)
  await pay({ amountInCents: 5_000, forced: true })
  expect((await pay()).status).toBe(422)
  await pay({ forced: true })
  expect((await get()).body.pix.map(({ valor }: { valor: string }) => valor)).toEqual(['50.00', '100.00'])
  await pix.bank('PUT', `/cobv/${txid(2)}`, cobv())
  await pix.bank('PATCH', `/cobv/${txid(2)}`, { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' })
  expect((await pix.control('POST', '/pix/pay', { txid: txid(2) })).status).toBe(422)
  await pix.control('POST', '/pix/pay', { txid: txid(2), forced: true })
  expect((await pix.bank('GET', `/cobv/${txid(2)}`)).body).toMatchObject({
    status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR',
    pix: [{ valor: '123.45' }],
  })
})

test('a charge can be paid twice at once, and the bank can withdraw one', async () => {
  await create()
  const { body } = await pay({ times: 2, payer: null })
  expect(body).toMatchObject({ status: 'CONCLUIDA', payments: [{ payer: null }, { amount: 10_000 }] })
  expect((await get()).body.pix[0]).not.toHaveProperty('pagador')
  await pix.bank('PUT', `/cobv/${txid(2)}`, cobv())
  await pix.control('POST', `/pix/charges/${txid(2)}/withdraw`)
  expect((await pix.bank('GET', `/cobv/${txid(2)}`)).body.status).toBe('REMOVIDA_PELO_PSP')
})

test('an immediate charge ends after its seconds; its payer may choose the amount when it says so', async () => {
  await pix.bank('PUT', `/cob/${id}`, cob())
  expect((await pay({ paidAt: Date.now() + 3_601_000 })).status).toBe(422)
  expect((await pay()).body).toMatchObject({ status: 'CONCLUIDA', payments: [{ amount: 3_700 }] })
  const open = cob({ valor: { original: '0.00', modalidadeAlteracao: 1 } })
  await pix.bank('PUT', `/cob/${txid(2)}`, open)
  expect((await pix.control('POST', '/pix/pay', { txid: txid(2) })).status).toBe(422)
  await pix.control('POST', '/pix/pay', { txid: txid(2), amountInCents: 700 })
  expect((await pix.bank('GET', `/cob/${txid(2)}`)).body.pix[0].valor).toBe('7.00')
})

test('Pix are listed by time, txid, payer and returns, in pages; one that nobody asked for too', async () => {
  await create()
  await pay({ times: 3 })
  const stray = { key: KEY, amountInCents: 500, payer: { name: 'Loja', document: '12345678000195' } }
  const { body: alone } = await pix.control('POST', '/pix/received', stray)
  expect((await pix.list('/pix')).body).toMatchObject({
    parametros: { paginacao: { quantidadeTotalDeItens: 4 } },
    pix: { length: 4 },
  })
  const ids = async (query: string) =>
    (await pix.list('/pix', query)).body.pix.map(({ endToEndId }: { endToEndId: string }) => endToEndId)
  expect(await ids('txIdPresente=false')).toEqual([alone.endToEndId])
  expect(await ids('cnpj=12345678000195')).toEqual([alone.endToEndId])
  expect(await ids(`txid=${id}&paginacao.itensPorPagina=2`)).toHaveLength(2)
  expect(await ids(`txid=${id}&paginacao.itensPorPagina=2&paginacao.paginaAtual=1`)).toHaveLength(1)
  expect(await ids('devolucaoPresente=true')).toEqual([])
  expect((await pix.control('POST', '/pix/received', { ...stray, key: 'nobody@example.com' })).status).toBe(
    404,
  )
})

test.each([
  ['inicio=2049-01-01T00:00:00Z&fim=2048-01-01T00:00:00Z', 'fim'],
  ['inicio=2049-01-01&fim=2050-01-01T00:00:00Z', 'inicio'],
  ['inicio=2049-01-01T00:00:00Z', 'fim'],
  ['inicio=2049-01-01T00:00:00Z&fim=2050-01-01T00:00:00Z&paginacao.paginaAtual=-1', 'paginacao.paginaAtual'],
  ['inicio=2049-01-01T00:00:00Z&fim=2050-01-01T00:00:00Z&cpf=12345678909&cnpj=12345678000195', 'cnpj'],
])('the query %s is refused: %s', async (query, propriedade) => {
  const { status, body } = await pix.bank('GET', `/pix?${query}`)
  expect([status, body.violacoes[0].propriedade]).toEqual([400, propriedade])
})

test('the bank lives by the billing clock: what is due, what is past, and when it was paid', async () => {
  let now = Date.parse('2049-10-01T12:00:00Z')
  const clock = createServer((_request, response) => response.end(JSON.stringify({ now })))
  clock.listen(0, '127.0.0.1')
  await once(clock, 'listening')
  const billingClockUrl = `http://127.0.0.1:${(clock.address() as AddressInfo).port}/clock`
  const moved = await startPixSandbox({ bank: { billingClockUrl } })
  const past = { calendario: { dataDeVencimento: '2049-09-30' } }
  expect((await moved.bank('PUT', `/cobv/${id}`, cobv(past))).status).toBe(400)
  await moved.bank('PUT', `/cobv/${id}`, cobv({ valor: LATE }))
  now = Date.parse('2049-10-15T12:00:00Z')
  await moved.control('POST', '/pix/pay', { txid: id })
  expect((await moved.bank('GET', `/cobv/${id}`)).body).toMatchObject({
    calendario: { criacao: '2049-10-01T12:00:00.000Z' },
    pix: [{ valor: '102.20', horario: '2049-10-15T12:00:00.000Z' }],
  })
  await moved.end()
  clock.close()
})
