import { readFields } from './br-code-reader'
import { startListener } from './listener'
import { approved, cobr, inDays, rec } from './permissions'
import { cob, cobv, startPixSandbox, txid, type PixSandbox } from './pix-bank'

let pix: PixSandbox
beforeEach(async () => {
  pix = await startPixSandbox()
})
afterEach(() => pix.end())

const create = async (changes: object = {}) => (await pix.bank('POST', '/rec', rec(changes))).body
const get = (idRec: string, query = '') => pix.bank('GET', `/rec/${idRec}${query}`)
const decide = (idRec: string, action: string, body: object = {}) =>
  pix.control('POST', `/pix/recs/${idRec}/${action}`, body)

test('a permission is created, and its QR code leads to its location', async () => {
  const { body: loc } = await pix.bank('POST', '/locrec', { tipo: 'rec' })
  const body = await create({ loc: loc.id })
  expect(body).toMatchObject({
    idRec: expect.stringMatching(/^RR99999008\d{8}\w{11}$/),
    status: 'CRIADA',
    ativacao: { tipoJornada: 'AGUARDANDO_DEFINICAO' },
    loc: { location: loc.location, idRec: body.idRec },
  })
  const { dadosQR } = (await get(body.idRec)).body
  expect(dadosQR.jornada).toBe('JORNADA_2')
  const fields = readFields(dadosQR.pixCopiaECola)
  expect([fields['26'], fields['80']]).toEqual([
    { '00': 'br.gov.bcb.pix' },
    { '00': 'br.gov.bcb.pix', 25: loc.location },
  ])
  expect((await pix.bank('GET', `/locrec/${loc.id}`)).body).toEqual({ ...loc, idRec: body.idRec })
})

test('one QR code holds a charge and the permission: paid at once, or with a due date', async () => {
  const { body: loc } = await pix.bank('POST', '/locrec', { tipo: 'rec' })
  await pix.bank('PUT', `/cob/${txid(1)}`, cob())
  await pix.bank('PUT', `/cob/${txid(2)}`, cob())
  await pix.bank('PUT', `/cobv/${txid(3)}`, cobv())
  const { idRec } = await create({ loc: loc.id, ativacao: { dadosJornada: { txid: txid(1) } } })
  const journeys = [txid(1), txid(3)].map(async (id) => (await get(idRec, `?txid=${id}`)).body.dadosQR)
  const [third, fourth] = await Promise.all(journeys)
  expect([third.jornada, fourth.jornada]).toEqual(['JORNADA_3', 'JORNADA_4'])
  expect((await get(idRec, `?txid=${txid(2)}`)).status).toBe(400)
  // The payer pays with the same text, and gives the permission.
  await pix.control('POST', '/pix/pay', { copyAndPaste: third.pixCopiaECola })
  expect((await pix.bank('GET', `/cob/${txid(1)}`)).body.status).toBe('CONCLUIDA')
  await decide(idRec, 'accept')
  expect((await get(idRec)).body.ativacao).toEqual({
    tipoJornada: 'JORNADA_3',
    dadosJornada: { txid: txid(1) },
  })
})

test('a payer accepts, refuses, lets expire or cancels, each once', async () => {
  const { idRec } = await create()
  await decide(idRec, 'accept')
  expect((await get(idRec)).body).toMatchObject({
    status: 'APROVADA',
    pagador: { cpf: '12345678909' },
    ativacao: { tipoJornada: 'JORNADA_2' },
  })
  expect((await decide(idRec, 'refuse')).status).toBe(422)
  await decide(idRec, 'cancel', { by: 'PSP_PAGADOR', code: 'ACCL' })
  expect((await get(idRec)).body).toMatchObject({
    status: 'CANCELADA',
    encerramento: { cancelamento: { solicitante: 'PSP_PAGADOR', codigo: 'ACCL' } },
  })
  const refused = await create()
  await decide(refused.idRec, 'refuse', { code: 'AP14' })
  expect((await get(refused.idRec)).body).toMatchObject({
    status: 'REJEITADA',
    encerramento: { rejeicao: { codigo: 'AP14' } },
  })
  const expired = await create()
  await decide(expired.idRec, 'expire')
  expect((await get(expired.idRec)).body.status).toBe('EXPIRADA')
  const { body } = await pix.list('/rec', 'status=EXPIRADA&cpf=12345678909')
  expect(body.recs.map((one: { idRec: string }) => one.idRec)).toEqual([expired.idRec])
})

test('a seller revises a permission while it is CRIADA, and cancels it with its open collections', async () => {
  const { idRec } = await create()
  const patch = (body: object) => pix.bank('PATCH', `/rec/${idRec}`, body)
  const name = { vinculo: { devedor: { nome: 'Ana S. Souza' } } }
  expect((await patch({ ...name, calendario: { dataInicial: inDays(4) } })).body).toMatchObject({
    vinculo: { contrato: '63100862', devedor: { cpf: '12345678909', nome: 'Ana S. Souza' } },
    calendario: { dataInicial: inDays(4), periodicidade: 'MENSAL' },
  })
  await decide(idRec, 'accept')
  const late = await patch({ calendario: { dataInicial: inDays(9) } })
  expect([late.status, late.body.violacoes[0].propriedade]).toEqual([400, 'rec.calendario.dataInicial'])
  await pix.bank('PUT', `/cobr/${txid(1)}`, cobr(idRec))
  expect((await patch({ status: 'CANCELADA' })).body).toMatchObject({
    status: 'CANCELADA',
    encerramento: { cancelamento: { solicitante: 'USUARIO_RECEBEDOR', codigo: 'SLCR' } },
  })
  expect((await pix.bank('GET', `/cobr/${txid(1)}`)).body).toMatchObject({
    status: 'CANCELADA',
    tentativas: [{ status: 'CANCELADA' }],
  })
  expect((await patch({ status: 'CANCELADA' })).status).toBe(400)
})

test.each([
  [{ calendario: { dataInicial: '2020-01-01', periodicidade: 'MENSAL' } }, 'rec.calendario.dataInicial'],
  [
    { calendario: { dataInicial: inDays(9), dataFinal: inDays(8), periodicidade: 'MENSAL' } },
    'rec.calendario.dataFinal',
  ],
  [{ loc: 99 }, 'rec.loc'],
  [{ valor: { valorRec: '1.00', valorMinimoRecebedor: '1.00' } }, 'valor'],
])('a permission with %j is refused: %s', async (changes, propriedade) => {
  const { status, body } = await pix.bank('POST', '/rec', rec(changes))
  expect([status, body.violacoes[0].propriedade]).toEqual([400, propriedade])
})

test('each change of a permission is told to its webhook', async () => {
  process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0'
  const listener = await startListener(pix.config.tls)
  await pix.bank('PUT', '/webhookrec', { webhookUrl: listener.url })
  expect((await pix.bank('GET', '/webhookrec')).body.webhookUrl).toBe(listener.url)
  const { idRec } = await approved(pix)
  await decide(idRec, 'cancel')
  const told = (await listener.heard(2)).map(({ recs: [one] }) => [one.idRec, one.status])
  expect(told.toSorted(([, a], [, b]) => (a < b ? -1 : 1))).toEqual([
    [idRec, 'APROVADA'],
    [idRec, 'CANCELADA'],
  ])
  expect(listener.told[0]?.path).toBe('/partners/pix/a-secret-path/rec')
  await pix.bank('DELETE', '/webhookrec')
  await listener.close()
  delete process.env['NODE_TLS_REJECT_UNAUTHORIZED']
})
