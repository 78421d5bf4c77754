import { dayAt } from '../../src/bank/bank-calendar'
import { rec } from './permissions'
import { cobv, startPixSandbox, txid, type PixSandbox } from './pix-bank'

let pix: PixSandbox
let code: string
beforeEach(async () => {
  pix = await startPixSandbox()
  const multa = { modalidade: 2, valorPerc: '2.00' }
  const { body } = await pix.bank('PUT', `/cobv/${txid(1)}`, cobv({ valor: { original: '1234.50', multa } }))
  code = body.pixCopiaECola
})
afterEach(() => pix.end())

const page = async (query: object) => {
  const { status, body } = await pix.control(
    'GET',
    `/pix/pay?${new URLSearchParams({ ...query }).toString()}`,
  )
  expect(status).toBe(200)
  return String(body).replaceAll('\u00a0', ' ')
}
const submit = (fields: object) =>
  pix.call('POST', `${pix.url}/pix/pay`, {
    body: new URLSearchParams({ copyAndPaste: code, ...fields }).toString(),
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  })
const amounts = async () =>
  (await pix.control('GET', '/pix/charges')).body[0].payments.map(({ amount }: { amount: number }) => amount)

test('a pasted code shows who asks for how much on a day', async () => {
  const now = await page({ copyAndPaste: code })
  for (const text of ['Recebedor de Teste padaria-sol', '13/10/2049', 'Pagar R$ 1.234,50'])
    expect(now).toContain(text)
  expect(now).not.toContain('Multa')
  const late = await page({ copyAndPaste: ` ${code} `, day: '2049-10-14' })
  for (const text of ['<dt>Multa</dt><dd>R$ 24,69</dd>', 'A pagar em 14/10/2049', 'Pagar R$ 1.259,19']) {
    expect(late).toContain(text)
  }
  expect(late).not.toMatch(/<script|<link(?! rel="icon" href="data:)|<img|@import|src=/)
})

test('a damaged or unknown code says so', async () => {
  expect(await page({})).not.toContain('role="alert"')
  expect(await page({ copyAndPaste: code.slice(1) })).toContain('incompleto ou alterado')
  const other = await startPixSandbox()
  const { body } = await other.bank('PUT', `/cobv/${txid(1)}`, cobv())
  await other.end()
  expect(await page({ copyAndPaste: body.pixCopiaECola })).toContain('Não há cobrança')
})

test('the forms pay on a day, twice, partly and what takes no payment; no day that has yet to come', async () => {
  expect((await submit({ paidOn: '2049-10-14' })).status).toBe(400)
  const paid = await submit({ paidOn: dayAt(Date.now()) })
  expect(paid.status).toBe(303)
  const after = await pix.control('GET', String(paid.headers['location']))
  expect(after.body).toContain('CONCLUIDA')
  expect(after.body).not.toContain('Pagar R$')
  expect((await submit({ paidOn: '' })).status).toBe(422)
  await submit({ paidOn: '', forced: 'on', amountInCents: '500', times: '2' })
  expect(await amounts()).toEqual([123_450, 500, 500])
})

test('the sandbox’s page lists charges and leads to their payment', async () => {
  const { body } = await pix.control('GET', '/')
  for (const text of [
    txid(1),
    '2049-10-13',
    `/pix/pay?copyAndPaste=${encodeURIComponent(code)}`,
    pix.pixBankUrl,
  ]) {
    expect(body).toContain(text)
  }
})

test('a code with a permission is shown, and the forms accept and cancel it', async () => {
  const { body: loc } = await pix.bank('POST', '/locrec', { tipo: 'rec' })
  const { idRec } = (await pix.bank('POST', '/rec', rec({ loc: loc.id }))).body
  const { dadosQR } = (await pix.bank('GET', `/rec/${idRec}?txid=${txid(1)}`)).body
  const shown = await page({ copyAndPaste: dadosQR.pixCopiaECola })
  for (const text of ['Pagar R$ 1.234,50', 'Plano mensal', 'R$ 35,00, mensal', 'Autorizar', 'JORNADA_4']) {
    expect(shown).toContain(text)
  }
  const post = (action: string, body: string) =>
    pix.call('POST', `${pix.url}/pix/recs/${idRec}/${action}`, {
      body,
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    })
  expect((await post('accept', 'journey=JORNADA_4')).status).toBe(303)
  expect((await pix.bank('GET', `/rec/${idRec}`)).body).toMatchObject({
    status: 'APROVADA',
    ativacao: { tipoJornada: 'JORNADA_4' },
  })
  const alone = (await pix.bank('GET', `/rec/${idRec}`)).body.dadosQR.pixCopiaECola
  expect(await page({ copyAndPaste: alone })).toContain('Cancelar autorização')
  expect((await pix.control('GET', '/')).body).toContain(`/pix/recs/${idRec}/cancel`)
  expect((await post('cancel', '')).status).toBe(303)
  expect((await pix.bank('GET', `/rec/${idRec}`)).body.status).toBe('CANCELADA')
})
