import { card, startWorld, type Vault, type World } from './support/vault'

let world: World
let vault: Vault
beforeAll(async () => {
  world = await startWorld()
  vault = await world.startVault()
})
afterAll(() => world.stop())

beforeEach(() => world.partner.forget())

const answerWith = (body: unknown) => {
  world.partner.respond = (response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }
}
const answered = async (handle: string, change = {}) => {
  const { outcome, answer, reason } = await vault.forward(handle, change)
  if (!answer) throw new Error(`${outcome}: ${reason}`)
  return answer
}

describe('an answer of a partner', () => {
  test('without card data comes back as it is', async () => {
    const text =
      '{ "Received":"2026-06-11 14:30:05.123", "Big":12345678901, "CardNumber": "411111******1111","x":null }'
    answerWith(text)

    const { body } = await answered(await vault.handleOf(card()))
    expect(JSON.parse(body.toString())).toEqual(JSON.parse(text))
  })

  test('is hidden wherever it has enough digits for a card number, sent or not: it confirms no guesses', async () => {
    answerWith({
      CardNumber: '4111111111111111',
      Message: 'card 4111-1111-1111-1111 and 5555555555554444',
      Number: 4111111111111111,
      '4111111111111111': 1,
      SecurityCode: '987',
      card: { cvv: 987, number: 'x4111111111111111y', guess: 'x4111111111111112y 986 987' },
    })
    const answer = await answered(await vault.handleOf(card({ cvv: '987' })))

    expect(JSON.parse(answer.body.toString())).toEqual({
      CardNumber: '***',
      Message: '***',
      Number: '***',
      '***': 1,
      SecurityCode: '***',
      card: { cvv: '***', number: '***', guess: '***' },
    })
  })

  test('keeps the identifiers of the partner, which may look like card numbers', async () => {
    const uuid = 'aa51d6b7-0251-4125-4071-32134061ee8a'
    const own = { PaymentId: uuid, Other: uuid }
    answerWith({ Payment: { IssuerTransactionId: '378282246310005', Other: '378282246310005' }, List: [own] })
    const { body } = await answered(await vault.handleOf(card()))

    expect(JSON.parse(body.toString())).toEqual({
      Payment: { IssuerTransactionId: '378282246310005', Other: '***' },
      List: [{ PaymentId: uuid, Other: '***' }],
    })
  })

  test('with a member that stands twice shows only the one that was checked', async () => {
    answerWith('{"Message":"4111111111111111","Message":"ok"}')
    const { body } = await answered(await vault.handleOf(card()))
    expect(body.toString()).toBe('{"Message":"ok"}')
  })

  test('that is not JSON is hidden whole', async () => {
    world.partner.respond = (response) =>
      void response.writeHead(500).end('<b>\xe9 4111111111111111</b>', 'latin1')
    const { status, body } = await answered(await vault.handleOf(card()))

    expect({ status, body: body.toString('latin1') }).toEqual({
      status: 500,
      body: '***',
    })
  })

  test('that quotes the whole call hides the CVV with the number', async () => {
    const handle = await vault.handleOf(card({ cvv: '987' }))
    const quoted = 'bad call: {"CardNumber":"4111111111111111","SecurityCode":"987","Amount":19870}'
    answerWith({ Message: quoted, ReturnCode: '987' })
    const { body } = await answered(handle)
    expect(JSON.parse(body.toString())).toEqual({ Message: '***', ReturnCode: '987' })

    answerWith(`${quoted}!`)
    expect((await answered(handle)).body.toString()).toBe('***')
  })

  test('that echoes a number without a known brand hides it too', async () => {
    answerWith({ echo: '6370360000000007', spaced: '6370 3600 0000 0007' })
    const { body } = await answered(await vault.handleOf(card({ cardNumber: '6370360000000007' })))

    expect(body.toString()).toBe('{"echo":"***","spaced":"***"}')
  })

  test('brings back only the listed headers', async () => {
    world.partner.respond = (response) =>
      void response
        .writeHead(401, { requestid: 'r-1', 'set-cookie': 'a=b', 'x-pan': '4111111111111111' })
        .end()
    const { headers, status, body } = await answered(await vault.handleOf(card()))

    expect({ headers, status, size: body.length }).toEqual({
      headers: { requestid: 'r-1' },
      status: 401,
      size: 0,
    })
  })
})
