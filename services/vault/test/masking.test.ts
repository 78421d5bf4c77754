import { maskAnswer, maskHeader } from '../src/partners/partner-answer'

const setting = { identifiers: ['/Payment/PaymentId', '/List/*/Id'], captures: undefined, grants: undefined }
const PAN = '4111111111111111'

function masked(answer: unknown, secrets: readonly string[] = [PAN], shown: object = {}): unknown {
  const body = Buffer.from(JSON.stringify(answer))
  return JSON.parse(maskAnswer(body, secrets, { ...setting, ...shown }).toString())
}

test('the number that was sent is hidden even in the place of an identifier; other digits are not', () => {
  expect(masked({ Payment: { PaymentId: PAN } })).toEqual({ Payment: { PaymentId: '***' } })
  expect(masked({ Payment: { PaymentId: `id-${PAN}-1` } })).toEqual({ Payment: { PaymentId: '***' } })
  const own = { Payment: { PaymentId: '4111111111111112' } }
  expect(masked(own)).toEqual(own)
})

test('a header is hidden where it holds one of the secrets', () => {
  expect(maskHeader('seen: 987', [PAN, '987'])).toBe('***')
  expect(maskHeader('seen: 986', [PAN, '987'])).toBe('seen: 986')
})

test('a text is hidden for any of several secrets, as it was sent or as a form spells it', () => {
  expect(masked({ Payment: { PaymentId: PAN } }, ['987', PAN])).toEqual({ Payment: { PaymentId: '***' } })
  expect(masked({ text: 'Jo%C3%A3o+1' }, ['987', 'João 1'])).toEqual({ text: '***' })
})

test.each([
  [12, '***'],
  [11, undefined],
])('%i digits in a row, or in groups: %p', (count, hidden) => {
  const digits = '987654321098'.slice(0, count)
  const grouped = digits.replaceAll(/(\d{4})(?=\d)/g, '$1 ')
  for (const text of [digits, grouped, grouped.replaceAll(' ', '-'), grouped.replaceAll(' ', '.')]) {
    expect(masked({ text })).toEqual({ text: hidden ?? text })
  }
  expect(masked({ number: Number(digits) })).toEqual({ number: hidden ?? Number(digits) })
})

test('an identifier in a list applies to each of its elements, and to no other list', () => {
  const own = { List: [{ Id: '1234567890123' }, { Id: '1234567890124' }] }
  expect(masked(own)).toEqual(own)
  expect(masked({ Other: own.List })).toEqual({ Other: [{ Id: '***' }, { Id: '***' }] })
  const long = { List: Array.from({ length: 11 }, () => ({ Id: '1234567890123' })) }
  expect(masked(long)).toEqual(long)
  const plain = { Ids: ['1234567890123'] }
  expect(masked(plain, [PAN], { identifiers: ['/Ids/*'] })).toEqual(plain)
})

test('a date does not separate the digits around it', () => {
  expect(masked({ text: '123456.2026-06-11654321' })).toEqual({ text: '***' })
  const times = { text: '2026-06-11 14:30:05.123 12345678901' }
  expect(masked(times)).toEqual(times)
})

test('a value that stays in the vault is hidden, whatever it looks like', () => {
  const captures = {
    tokenNumber: '/made/first',
    tokenExpirationMonth: '/made/month',
    tokenExpirationYear: '/made/year',
    cryptogram: '/made/second',
  }
  const grants = { accessToken: '/access', refreshToken: '/refresh', expiresInSeconds: '/expires' }
  const answer = { made: { first: '12', month: 1, second: 'c' }, access: 'a', refresh: 'r', expires: 3 }
  expect(masked(answer, [], { captures, grants })).toEqual({
    ...answer,
    made: { first: '***', month: 1, second: '***' },
    access: '***',
    refresh: '***',
  })
  const none = { made: { first: null, second: true } }
  expect(masked(none, [], { captures })).toEqual(none)
})

test('card data known by its name is hidden, unless it is masked already or null', () => {
  const shown = { CardNumber: '411111******1111', SecurityCode: null }
  expect(masked(shown)).toEqual(shown)
  expect(
    masked({ CardNumber: '4111***1111x', SecurityCode: '', cvv: 1, 'Card-Number': ['411111******1111'] }),
  ).toEqual({
    CardNumber: '***',
    'Card-Number': '***',
    SecurityCode: '***',
    cvv: '***',
  })
  const [beyond, before] = ['4111111*****1111', 'x411111******1111']
  expect(masked({ CardNumber: beyond, number: before })).toMatchObject({ CardNumber: '***' })
})

test('the digits of a date with its time do not count', () => {
  const at = { at: '2026-06-11 14:30:05.1234567', on: '2026-06-11', until: '2026-06-11T14:30' }
  expect(masked(at)).toEqual(at)
  expect(masked({ at: '2026-06-11 14:30:05 987654321098' })).toEqual({ at: '***' })
})

test('a secret is hidden in its spelling as a form', () => {
  expect(masked({ echo: 'name=Ana+Souza%21' }, ['Ana Souza!'])).toEqual({ echo: '***' })
  expect(masked({ echo: 'name=Ana' }, ['Ana Souza!'])).toEqual({ echo: 'name=Ana' })
})

test('an answer that is not JSON is hidden whole or shown whole', () => {
  const text = (body: string) => maskAnswer(Buffer.from(body, 'latin1'), [PAN], setting).toString('latin1')
  expect(text(`<b>${PAN}</b>`)).toBe('***')
  expect(text('<b>\xe9 nothing</b>')).toBe('<b>\xe9 nothing</b>')
})
