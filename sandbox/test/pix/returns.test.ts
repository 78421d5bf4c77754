import { cobv, startPixSandbox, txid, type PixSandbox } from './pix-bank'

let pix: PixSandbox
let endToEndId: string
beforeEach(async () => {
  pix = await startPixSandbox()
  await pix.bank('PUT', `/cobv/${txid(1)}`, cobv())
  const { body } = await pix.control('POST', '/pix/pay', { txid: txid(1) })
  endToEndId = body.payments[0].endToEndId
})
afterEach(() => pix.end())

const giveBack = (id: string, body: object, wrong = false) =>
  pix.bank('PUT', `/pix/${endToEndId}/devolucao/${id}`, body, { wrong })
const get = (id: string) => pix.bank('GET', `/pix/${endToEndId}/devolucao/${id}`)
const propertyOf = async (answer: ReturnType<typeof giveBack>) => (await answer).body.violacoes[0].propriedade

test('a return is answered while it is made, and then it is done', async () => {
  const { status, body } = await giveBack('a1', { valor: '23.45', descricao: 'Desistência' })
  expect([status, body]).toMatchObject([
    201,
    {
      id: 'a1',
      rtrId: expect.stringMatching(/^D99999008\d{12}\w{11}$/),
      valor: '23.45',
      natureza: 'ORIGINAL',
      status: 'EM_PROCESSAMENTO',
    },
  ])
  const { body: done } = await get('a1')
  expect(done).toMatchObject({ status: 'DEVOLVIDO', rtrId: body.rtrId })
  expect(done.horario).toHaveProperty('liquidacao')
  expect((await pix.bank('GET', `/cobv/${txid(1)}`)).body.pix[0].devolucoes).toEqual([done])
  expect((await pix.list('/pix', 'devolucaoPresente=true')).body.pix).toHaveLength(1)
})

test('the same return again is one return; its id serves no other', async () => {
  await giveBack('a1', { valor: '23.45' })
  expect((await giveBack('a1', { valor: '23.45' })).body.status).toBe('DEVOLVIDO')
  expect(await propertyOf(giveBack('a1', { valor: '23.46' }))).toBe('devolucao.id')
  expect((await pix.bank('GET', `/pix/${endToEndId}`)).body.devolucoes).toHaveLength(1)
})

test('several returns give back no more than came, and one that failed gives its amount free', async () => {
  await pix.control('POST', '/pix/devolutions/next', { status: 'NAO_REALIZADO' })
  await giveBack('a1', { valor: '100.00' })
  expect((await get('a1')).body).toMatchObject({ status: 'NAO_REALIZADO', motivo: expect.any(String) })
  await giveBack('a2', { valor: '100.00' })
  expect(await propertyOf(giveBack('a3', { valor: '23.46' }))).toBe('devolucao.valor')
  expect((await giveBack('a3', { valor: '23.45' })).status).toBe(201)
  expect(await propertyOf(giveBack('a4', { valor: '0.00' }))).toBe('devolucao.valor')
})

test.each(['DEVOLVIDO', 'NAO_REALIZADO'])(
  'a return that waits becomes %s by a control, once',
  async (status) => {
    await pix.control('POST', '/pix/devolutions/next', { status: 'EM_PROCESSAMENTO' })
    await giveBack('a1', { valor: '1.00' })
    expect((await get('a1')).body.status).toBe('EM_PROCESSAMENTO')
    const settle = () => pix.control('POST', `/pix/received/${endToEndId}/devolutions/a1/settle`, { status })
    expect((await settle()).status).toBe(200)
    expect((await get('a1')).body.status).toBe(status)
    expect((await settle()).status).toBe(422)
  },
)

test('after 90 days nothing can be returned', async () => {
  await pix.bank('PUT', `/cobv/${txid(2)}`, cobv())
  const paidAt = Date.now() - 91 * 86_400_000
  const { body } = await pix.control('POST', '/pix/pay', { txid: txid(2), paidAt })
  endToEndId = body.payments[0].endToEndId
  expect(await propertyOf(giveBack('a1', { valor: '1.00' }))).toBe('devolucao')
})

test('the bank gives back by itself what the seller has not returned', async () => {
  await giveBack('a1', { valor: '23.45' })
  const med = (body: object) => pix.control('POST', `/pix/received/${endToEndId}/med`, body)
  expect((await med({ amountInCents: 10_001 })).status).toBe(422)
  expect((await med({ nature: 'MED_OPERACIONAL' })).status).toBe(201)
  const { body } = await pix.bank('GET', `/pix/${endToEndId}`)
  expect(body.devolucoes[1]).toMatchObject({
    natureza: 'MED_OPERACIONAL',
    valor: '100.00',
    status: 'DEVOLVIDO',
  })
  expect((await med({})).status).toBe(422)
  expect(await propertyOf(giveBack('a2', { valor: '0.01' }))).toBe('devolucao.valor')
})

test('an unknown Pix, an unknown return and a wrong amount are refused', async () => {
  const unknown = await pix.bank('GET', `/pix/E${'0'.repeat(31)}`)
  expect([unknown.status, unknown.body.type.split('/').at(-1)]).toEqual([404, 'PixNaoEncontrado'])
  const missing = await get('a9')
  expect([missing.status, missing.body.type.split('/').at(-1)]).toEqual([404, 'PixDevolucaoNaoEncontrada'])
  expect(await propertyOf(giveBack('a1', { valor: '1' }, true))).toBe('valor')
})
