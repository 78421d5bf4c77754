import { REJECTIONS } from '../../src/pix/automatic/collect'
import { startListener } from './listener'
import { approved, cobr, inDays, rec } from './permissions'
import { startPixSandbox, txid, type PixSandbox } from './pix-bank'

const FATAL = ['AC05', 'AM09', 'DENC', 'DS27', 'DTED', 'MIDI', 'MSUC', 'NITX', 'RC09']
let pix: PixSandbox
let idRec: string
beforeEach(async () => {
  pix = await startPixSandbox()
  idRec = (await approved(pix)).idRec
})
afterEach(() => pix.end())

const id = txid(1)
const put = (changes: object = {}, number = 1) =>
  pix.bank('PUT', `/cobr/${txid(number)}`, cobr(idRec, changes))
const get = async (number = 1) => (await pix.bank('GET', `/cobr/${txid(number)}`)).body
const settle = (body: object = {}, number = 1) =>
  pix.control('POST', `/pix/cobrs/${txid(number)}/settle`, body)
const retry = (day: string) => pix.bank('POST', `/cobr/${id}/retentativa/${day}`)
const propertyOf = async (answer: ReturnType<typeof put>) => {
  const { status, body } = await answer
  return [status, body.violacoes[0].propriedade]
}

test('a collection is created, scheduled and paid on its day', async () => {
  const { status, body } = await put()
  expect([status, body]).toMatchObject([
    201,
    { txid: id, idRec, status: 'CRIADA', recebedor: { conta: '012682', cnpj: expect.any(String) } },
  ])
  expect(await get()).toMatchObject({
    status: 'ATIVA',
    politicaRetentativa: 'PERMITE_3R_7D',
    tentativas: [{ dataLiquidacao: inDays(5), tipo: 'AGND', status: 'AGENDADA' }],
  })
  await settle()
  const paid = await get()
  expect(paid).toMatchObject({
    status: 'CONCLUIDA',
    tentativas: [{ status: 'PAGA' }],
    pix: [{ txid: id, valor: '35.00', horario: `${inDays(5)}T15:00:00.000Z` }],
    atualizacao: [{ status: 'CRIADA' }, { status: 'ATIVA' }, { status: 'CONCLUIDA' }],
  })
  const [{ endToEndId }] = paid.pix
  expect(endToEndId).toBe(paid.tentativas[0].endToEndId)
  expect((await pix.bank('GET', `/pix/${endToEndId}`)).body).toMatchObject({ txid: id, valor: '35.00' })
  // It can be returned as any Pix.
  await pix.bank('PUT', `/pix/${endToEndId}/devolucao/a1`, { valor: '5.00' })
  expect((await get()).pix[0].devolucoes).toMatchObject([{ id: 'a1', status: 'DEVOLVIDO' }])
})

test('each rejection code ends the collection, or lets it be tried again', async () => {
  for (const [number, code] of REJECTIONS.entries()) {
    idRec = (await approved(pix)).idRec
    await put({}, number)
    await settle({ code }, number)
    const { status, tentativas, encerramento } = await get(number)
    expect(tentativas).toMatchObject([{ status: 'REJEITADA', rejeicao: { codigo: code } }])
    expect([code, status]).toEqual([code, FATAL.includes(code) ? 'REJEITADA' : 'ATIVA'])
    expect(encerramento?.rejeicao.codigo).toBe(FATAL.includes(code) ? code : undefined)
  }
})

test('three retries within seven days, each on a day of its own and after the end of the one before', async () => {
  await put({ calendario: { dataDeVencimento: inDays(2) } })
  expect(await propertyOf(retry(inDays(4)))).toEqual([400, 'data'])
  await settle({ code: 'AM02' })
  for (const wrong of [inDays(0), inDays(2), inDays(10)]) {
    expect(await propertyOf(retry(wrong))).toEqual([400, 'data'])
  }
  for (const day of [3, 5, 9]) {
    const { status, body } = await retry(inDays(day))
    expect([status, body.tentativas.at(-1)]).toMatchObject([201, { tipo: 'NTAG', status: 'AGENDADA' }])
    expect((await get()).status).toBe('ATIVA')
    await settle({ code: 'AM02' })
  }
  expect((await get()).status).toBe('EXPIRADA')
  expect(await propertyOf(retry(inDays(8)))).toEqual([400, 'cobr.status'])
})

test('a permission without retries has one attempt', async () => {
  idRec = (await approved(pix, { politicaRetentativa: 'NAO_PERMITE' })).idRec
  await put()
  await settle({ code: 'AM02' })
  expect((await get()).status).toBe('EXPIRADA')
  expect(await propertyOf(retry(inDays(6)))).toEqual([400, 'rec.politicaRetentativa'])
})

test.each([
  [{ calendario: { dataDeVencimento: inDays(-1) } }, 'cobr.calendario.dataDeVencimento'],
  [{ calendario: { dataDeVencimento: inDays(1) } }, 'cobr.calendario.dataDeVencimento'],
  [{ calendario: { dataDeVencimento: inDays(11) } }, 'cobr.calendario.dataDeVencimento'],
  [{ idRec: `RR${'9'.repeat(27)}` }, 'cobr.idRec'],
])('a collection with %j is refused: %s', async (changes, propriedade) => {
  expect(await propertyOf(put(changes))).toEqual([400, propriedade])
})

test('a txid serves one collection, a cycle has one, and only of a permission that was given', async () => {
  await put()
  expect(await propertyOf(put())).toEqual([400, 'cobr.txid'])
  expect(await propertyOf(put({}, 2))).toEqual([400, 'cobr.calendario.dataDeVencimento'])
  await pix.bank('PATCH', `/cobr/${id}`, { status: 'CANCELADA' })
  expect((await put({}, 2)).status).toBe(201)
  idRec = (await pix.bank('POST', '/rec', rec())).body.idRec
  expect(await propertyOf(put({}, 3))).toEqual([400, 'cobr.idRec'])
})

test('a seller cancels before the day, and a payer’s cancellation takes the collection along', async () => {
  await put()
  const { body } = await pix.bank('PATCH', `/cobr/${id}`, { status: 'CANCELADA' })
  expect(body.status).toBe('CANCELADA')
  expect((await get()).encerramento.cancelamento).toMatchObject({ codigo: 'SLCR' })
  expect(await propertyOf(pix.bank('PATCH', `/cobr/${id}`, { status: 'CANCELADA' }))).toEqual([
    400,
    'cobr.status',
  ])
  await put({}, 2)
  await pix.control('POST', `/pix/recs/${idRec}/cancel`)
  expect(await get(2)).toMatchObject({
    status: 'CANCELADA',
    encerramento: { cancelamento: { solicitante: 'USUARIO_PAGADOR', codigo: 'SLBD' } },
  })
  const { body: list } = await pix.list('/cobr', `idRec=${idRec}&status=CANCELADA`)
  expect(list.cobsr).toHaveLength(2)
})

test('the bank collects what is due on its day, with the outcomes that were set', async () => {
  const others = [await approved(pix), await approved(pix)]
  await put({ calendario: { dataDeVencimento: inDays(2) } })
  for (const [at, other] of others.entries()) {
    idRec = other.idRec
    await put({ calendario: { dataDeVencimento: inDays(2 + at) } }, 2 + at)
  }
  await pix.control('POST', '/pix/cobrs/next', { code: 'AC05', idRec: others[0].idRec })
  expect((await pix.control('POST', '/pix/cobrs/collect')).body).toEqual([])
  const day = (days: number) =>
    jest.spyOn(Date, 'now').mockReturnValue(Date.parse(`${inDays(days)}T12:00:00Z`))
  const clock = day(2)
  const { body } = await pix.control('POST', '/pix/cobrs/collect')
  clock.mockRestore()
  expect(body.map(({ status }: { status: string }) => status)).toEqual(['CONCLUIDA', 'REJEITADA'])
  expect((await get(3)).status).toBe('ATIVA')
})

test('each change of a collection is told to its webhook', async () => {
  process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0'
  const listener = await startListener(pix.config.tls)
  await pix.bank('PUT', '/webhookcobr', { webhookUrl: listener.url })
  await put()
  await listener.heard(1)
  await settle()
  const bodies = await listener.heard(2)
  expect(bodies.map(({ cobsr: [one] }) => one.status)).toEqual(['ATIVA', 'CONCLUIDA'])
  expect(bodies[1].cobsr[0].pix).toHaveLength(1)
  await listener.close()
  delete process.env['NODE_TLS_REJECT_UNAUTHORIZED']
})
