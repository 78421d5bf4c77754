import { createPublicKey } from 'node:crypto'
import { CompactEncrypt } from 'jose'
import { BRANDS, SPELLINGS, type Canaries, type Canary } from './canaries'
import {
  EXPIRATION,
  goodBody,
  openCard,
  openVoucher,
  placesOf,
  voucherPayment,
  type Json,
} from './good-bodies'
import { fillPath, type Operation } from './operations'
import { JSON_TYPE, type Product } from './product'

type Told = { what: string; status: number }
export type Encrypt = (content: Json) => Promise<string>

export async function encryptorOf({ ask }: Pick<Product, 'ask'>): Promise<Encrypt> {
  const { text } = await ask('GET', '/api/v2/cards/encryption-key', { token: null })
  const jwk = JSON.parse(text)
  return (content) =>
    new CompactEncrypt(Buffer.from(JSON.stringify(content)))
      .setProtectedHeader({ alg: 'RSA-OAEP-256', enc: 'A256GCM', kid: jwk.kid, iat: Date.now() / 1_000 })
      .encrypt(createPublicKey({ key: jwk, format: 'jwk' }))
}

async function send(
  product: Product,
  method: string,
  path: string,
  body: Json,
): Promise<Told & { body: Json }> {
  const answer = await product.ask(method, path, { headers: JSON_TYPE, body: JSON.stringify(body) })
  return { what: `${method} ${path}`, status: answer.status, body: JSON.parse(answer.text || '{}') as Json }
}

/** Stores cards of each brand, in clear text and encrypted, and reads them; stores as many more and deletes them. */
export async function keepCards(product: Product, canaries: Canaries, encrypt: Encrypt): Promise<string[]> {
  const tokens: string[] = []
  for (const brand of BRANDS) {
    for (const encrypted of [false, true]) {
      const open = openCard(canaries.next(brand))
      const body = encrypted ? { encryptedCard: await encrypt(open) } : open
      const made = await send(product, 'POST', '/api/v2/cards/tokens', body)
      if (made.status !== 201) throw new Error(`a ${brand} card was answered ${made.status}`)
      await product.ask('GET', `/api/v2/cards/tokens/${String(made.body.id)}`)
      await product.ask('GET', `/api/v2/cards/tokens/${String(made.body.token)}`)
      const dropped = await send(product, 'POST', '/api/v2/cards/tokens', openCard(canaries.next(brand)))
      await product.ask('DELETE', `/api/v2/cards/tokens/${String(dropped.body.id)}`)
      tokens.push(String(made.body.token))
    }
  }
  return tokens
}

/** Stores vouchers, in clear text or encrypted, pays with each and cancels; deletes those that came encrypted. */
export async function payWithVouchers(
  product: Product,
  canaries: Canaries,
  encrypt: Encrypt,
): Promise<unknown[]> {
  const at = `/api/v2/sellers/${product.ready.sellerId}/vouchers`
  const statuses: unknown[] = []
  for (const digit of OUTCOMES) {
    for (const encrypted of [false, true]) {
      const canary = canaries.nextVoucher(digit)
      const { cardType, cardBrand, ...card } = openVoucher({ ...openCard(canary), cvv: canary.cvv })
      const body = encrypted ? { encryptedCard: await encrypt(card) } : card
      const made = await send(product, 'POST', `${at}/tokens`, { cardType, cardBrand, ...body })
      if (made.status !== 201) throw new Error(`a voucher was answered ${made.status}`)
      const { token } = made.body
      const cvv = encrypted ? { encryptedCvv: await encrypt({ cvv: canary.cvv }) } : { cvv: canary.cvv }
      for (const paid of [voucherPayment({ token }), voucherPayment({ token, ...cvv })]) {
        const payment = await send(product, 'POST', `${at}/payments`, paid)
        statuses.push(payment.body.status)
        await send(product, 'POST', `${at}/payments/${String(payment.body.id)}/cancel`, {})
      }
      await product.ask('GET', `${at}/tokens/${String(token)}`)
      if (encrypted) await product.ask('DELETE', `${at}/tokens/${String(token)}`)
    }
  }
  return statuses
}

/** Outcomes of the sandbox by the number's last digit: approved, declined, the answer lost. */
const OUTCOMES = [1, 2, 9]

/** Makes charges of each outcome with each form of a card; captures and refunds them where that is possible. */
export async function makeCharges(
  product: Product,
  operation: Operation,
  { canaries, encrypt, inbox }: { canaries: Canaries; encrypt: Encrypt; inbox: string },
): Promise<(Told & { body: Json })[]> {
  const path = fillPath(operation.path, { sellerId: product.ready.sellerId })
  const made: (Told & { body: Json })[] = []
  for (const digit of OUTCOMES) {
    for (const form of await formsOfCard(product, canaries, encrypt, digit)) {
      const base = { ...goodBody(path, { card: {}, token: '', inbox }) }
      const body = path.endsWith('/authorize') ? ofPayment(base, form) : { ...base, card: undefined, ...form }
      if (path.endsWith('/authorize') && 'card' in form) continue
      const charge = await send(product, operation.method, path, body)
      made.push(charge)
      const at = `/api/v2/charges/${String(charge.body.id)}`
      if (path.endsWith('/authorize')) await send(product, 'POST', `${at}/capture`, { amount: 400 })
      await send(product, 'POST', `${at}/refund`, { amount: 100, reason: 'one item returned' })
    }
  }
  return made
}

function ofPayment(body: Json, form: Json): Json {
  const [payment] = body.payments as Json[]
  return { ...body, payments: [{ ...payment, ...form }] }
}

/** The forms in which a charge may name a card; all but the first need a call or two. */
async function formsOfCard(
  product: Product,
  canaries: Canaries,
  encrypt: Encrypt,
  digit: number,
): Promise<Json[]> {
  const next = () => canaries.next(undefined, digit)
  const withCvv = (canary: Canary) => ({ ...openCard(canary), cvv: canary.cvv })
  const kept = async () => {
    const canary = next()
    const { body } = await send(product, 'POST', '/api/v2/cards/tokens', openCard(canary))
    return { token: body.token, cvv: canary.cvv }
  }
  const [one, other] = [await kept(), await kept()]
  return [
    { card: withCvv(next()) },
    { card: { encryptedCard: await encrypt(withCvv(next())) } },
    { cardToken: one },
    { cardToken: { token: other.token, encryptedCvv: await encrypt({ cvv: other.cvv }) } },
  ]
}

/** Sends misplaced numbers: in the place of each member, under strange names, in names, in broken JSON. */
export async function misplace(
  product: Product,
  operation: Operation,
  { canaries, chargeId, ...given }: { canaries: Canaries; chargeId: number; token: string; inbox: string },
): Promise<Told[]> {
  const path = fillPath(operation.path, { sellerId: product.ready.sellerId, id: chargeId })
  const good = (canary: Canary) =>
    goodBody(path, { card: { ...openCard(canary), cvv: canary.cvv }, ...given })
  const bodies: [what: string, body: Json][] = []
  for (const { pointer } of placesOf(good(canaries.next()))) {
    if (/\/(card|cardNumber|cvv)$/.test(pointer)) continue
    for (const [how, write] of WRITINGS) {
      // The contract takes any whole number there, and says nothing of its digits.
      if (pointer.endsWith('/externalReference') && how === AS_A_NUMBER) continue
      bodies.push([`${pointer} ${how}`, replaced(good(canaries.next()), pointer, write(canaries.next()))])
    }
  }
  for (const name of STRANGE_NAMES) {
    const canary = canaries.next()
    bodies.push([name, { ...good(canary), [name]: canary.number }])
    bodies.push([`x/${name}`, { ...good(canary), x: [{ [name]: Number(canary.number), cvc: canary.cvv }] }])
  }
  const named = canaries.next()
  bodies.push(['a name', { ...good(named), [named.number]: 1 }])
  const told: Told[] = []
  for (const [what, body] of bodies) {
    const { status } = await send(product, operation.method, path, body)
    told.push({ what: `${operation.method} ${operation.path} ${what}`, status })
  }
  return [...told, ...(await sendBroken(product, operation.method, path, good(canaries.next())))]
}

const AS_A_NUMBER = 'as a number'
/** Where any member may stand, a whole card is ignored like any unknown member. */
export const WHOLE_CARD = 'as a whole card'

const WRITINGS: [how: string, write: (canary: Canary) => unknown][] = [
  ['as it is', ({ number }) => number],
  ['in a text', ({ number }) => `pay with ${number.replace(/(....)(....)(....)/, '$1 $2 $3 ')}!`],
  [AS_A_NUMBER, ({ number }) => Number(number)],
  [WHOLE_CARD, ({ number, cvv }) => ({ cardNumber: number, cvv, expiration: EXPIRATION })],
]
const STRANGE_NAMES = ['pan', 'card_number', 'CardNumber', 'cardnumbr', 'note', 'number', 'dados']

function replaced(body: Json, pointer: string, value: unknown): Json {
  const place = placesOf(body).find((each) => each.pointer === pointer)
  if (place) place.holder[place.name] = value
  return body
}

async function sendBroken(product: Product, method: string, path: string, body: Json): Promise<Told[]> {
  const text = JSON.stringify(body)
  const latin = { 'content-type': 'application/json; charset=latin1' }
  const told: Told[] = []
  for (const [headers, sent] of [
    [JSON_TYPE, text.slice(0, -1)],
    [JSON_TYPE, `[${text}`],
    [JSON_TYPE, `"${String(body.cardNumber)}"`],
    [{ 'content-type': 'text/plain' }, text],
    [latin, text],
    [{ 'content-type': 'application/x-www-form-urlencoded' }, `card=${text}`],
  ] as const) {
    const { status } = await product.ask(method, path, { headers, body: sent })
    told.push({ what: `${method} ${path} ${sent.slice(0, 1)} as ${headers['content-type']}`, status })
  }
  return told
}

/** Members that take any text: a number that passes there would be stored. */
const FREE_TEXT = /(name|description|title|reason|reference|street|complement|metadata\/\w+)$/i

/** Sends a number in each spelling, in a member that takes any text, or else in the first text of the body. */
export async function respell(
  product: Product,
  operation: Operation,
  { canaries, chargeId, ...given }: { canaries: Canaries; chargeId: number; token: string; inbox: string },
): Promise<Told[]> {
  const path = fillPath(operation.path, { sellerId: product.ready.sellerId, id: chargeId })
  const good = (): Json => {
    const canary = canaries.next('VISA')
    return goodBody(path, { card: { ...openCard(canary), cvv: canary.cvv }, ...given })
  }
  const places = placesOf(good()).filter(({ holder, name }) => typeof holder[name] === 'string')
  const place = places.find(({ pointer }) => FREE_TEXT.test(pointer)) ?? places[0]
  if (!place) return []
  const told = []
  for (const [nth, spell] of SPELLINGS.entries()) {
    const body = replaced(good(), place.pointer, `Ana ${spell(canaries.next('VISA').number)}`)
    const { status } = await product.ask(operation.method, path, {
      headers: JSON_TYPE,
      body: JSON.stringify(body),
    })
    told.push({ what: `${operation.method} ${operation.path} ${place.pointer}, spelling ${nth}`, status })
  }
  return told
}
