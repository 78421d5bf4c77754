import { Agent } from 'node:https'
import { agentOf, callBank, cobv, startPixSandbox, txid, type PixSandbox } from './pix-bank'

let pix: PixSandbox
beforeEach(async () => {
  pix = await startPixSandbox()
})
afterEach(() => pix.end())

const put = (options = {}) => pix.bank('PUT', `/cobv/${txid(1)}`, cobv(), options)

test('a token is granted with its scopes and its end, and opens the bank', async () => {
  const { status, body } = await pix.signIn({ scope: 'cobv.write cobv.read' })
  expect([status, body]).toEqual([
    200,
    {
      access_token: expect.stringMatching(/^[\w-]{43}$/),
      token_type: 'Bearer',
      expires_in: 3_600,
      scope: 'cobv.write cobv.read',
    },
  ])
  const seller = { ...pix.seller, token: body.access_token }
  expect((await put({ seller })).status).toBe(201)
})

test('a scope that the token lacks is refused, an unknown one is not granted', async () => {
  const { body } = await pix.signIn({ scope: 'cobv.read' })
  const refused = await put({ seller: { ...pix.seller, token: body.access_token } })
  expect([refused.status, refused.body.type]).toEqual([
    403,
    'https://pix.bcb.gov.br/api/v2/error/AcessoNegado',
  ])
  expect((await pix.signIn({ scope: 'cobv.read all' })).body).toEqual({ error: 'invalid_scope' })
})

test('without a certificate there is neither a token nor an answer', async () => {
  const bare = new Agent({ ca: pix.config.tls.cert })
  expect(await pix.signIn({ agent: bare })).toMatchObject({ status: 401, body: { error: 'invalid_client' } })
  expect((await put({ seller: { ...pix.seller, agent: bare } })).status).toBe(403)
  bare.destroy()
})

test('the first call sets secret and certificate of a client; others are refused until it is forgotten', async () => {
  const other = await agentOf(pix)
  for (const wrong of [{ secret: 'another-secret-0123' }, { agent: other }]) {
    expect((await pix.signIn(wrong)).status).toBe(401)
  }
  // A stolen token is worth nothing without the certificate that asked for it.
  const stolen = await put({ seller: { ...pix.seller, agent: other } })
  expect([stolen.status, stolen.headers['www-authenticate']]).toEqual([401, 'Bearer error="invalid_token"'])
  expect((await pix.control('DELETE', '/pix/clients/padaria-sol')).status).toBe(204)
  expect((await put()).status).toBe(401)
  expect((await pix.signIn({ secret: 'another-secret-0123', agent: other })).status).toBe(200)
  expect((await pix.signIn()).status).toBe(401)
  other.destroy()
})

test('tokens end after their seconds, by a control, and with the process; credentials stay', async () => {
  expect((await pix.control('POST', '/pix/settings', { tokenSeconds: 1 })).status).toBe(200)
  const { body } = await pix.signIn()
  expect(body.expires_in).toBe(1)
  const seller = { ...pix.seller, token: body.access_token }
  while ((await put({ seller })).status !== 401) await new Promise((resolve) => setTimeout(resolve, 50))
  expect((await put()).status).toBe(201)
  await pix.control('POST', '/pix/tokens/end')
  expect((await put()).status).toBe(401)
})

test('one seller cannot see or pay into what another one has', async () => {
  await put()
  const { body } = await pix.signIn({ clientId: 'padaria-lua' })
  const seller = { ...pix.seller, token: body.access_token }
  expect((await pix.bank('GET', `/cobv/${txid(1)}`, undefined, { seller })).status).toBe(404)
  const taken = await callBank(pix, 'PUT', `/cobv/${txid(2)}`, cobv(), { seller })
  expect([taken.status, taken.body.violacoes[0].propriedade]).toEqual([400, 'chave'])
})

test.each([
  [{ grant_type: 'password' }, 'unsupported_grant_type'],
  [{}, 'unsupported_grant_type'],
])('a call for a token with %j is refused', async (form, error) => {
  const basic = Buffer.from('padaria-sol:secret-of-the-client-0123456789').toString('base64')
  const answer = await pix.call('POST', `${pix.pixBankUrl}/oauth/token`, {
    body: new URLSearchParams(form as Record<string, string>).toString(),
    headers: { authorization: `Basic ${basic}`, 'Content-Type': 'application/x-www-form-urlencoded' },
    agent: pix.seller.agent,
  })
  expect([answer.status, answer.body]).toEqual([400, { error }])
})

test('an unknown path and a damaged body are problems too', async () => {
  const url = pix.pixBankUrl
  const headers = { authorization: `Bearer ${pix.seller.token}` }
  const { agent } = pix.seller
  const unknown = await pix.call('GET', `${url}/cobx/1`, { headers, agent })
  expect([unknown.status, unknown.body.title]).toEqual([404, 'Entidade não encontrada.'])
  const damaged = await pix.call('PUT', `${url}/cobv/${txid(1)}`, { headers, agent, body: '{' })
  expect([damaged.status, damaged.body.title]).toEqual([400, 'Requisição inválida.'])
})
