import { createPublicKey, randomUUID } from 'node:crypto'
import { CompactEncrypt } from 'jose'
import type { ChargeJson } from '@cofre/api/charge'
import { cardEndingIn, cardFields, customer, type Answer, type System } from '../journeys/system'

/** How a charge names its card. */
const SOURCES = ['kept token', 'fresh token', 'number', 'encrypted card'] as const
type Source = (typeof SOURCES)[number]

export type Seller = {
  /** Stores a card and returns its token. */
  keepCard(): Promise<string>
  /** Charges this card, once: nothing is repeated. */
  chargeToken(token: string): Promise<Answer>
  /** Asks for a Pix, which nobody has paid yet. */
  askForPix(): Promise<Answer>
  /** Makes one charge for each name, however often it is called. */
  chargeOnce(name: string): Promise<Answer>
  /** Starts clients that charge cards from all sources until the load is stopped. */
  startLoad(clients: number, kept: readonly string[]): Load
}
export type Load = {
  /** How many charges succeeded so far, by source of the card. */
  charged(): Record<Source, number>
  stop(): Promise<{ charges: ChargeJson[]; failures: string[] }>
}

const DIGITS = [0, 1, 4]
let nth = 0
/** Another approved card each time. */
const nextCard = () => cardFields(cardEndingIn(DIGITS[nth++ % DIGITS.length] as number))

export async function openSeller(system: System): Promise<Seller> {
  const { body: jwk } = await system.api('GET', '/api/v2/cards/encryption-key', { token: null })
  const publicKey = createPublicKey({ key: jwk, format: 'jwk' })
  const path = `/api/v2/sellers/${system.ready.sellerId}/orders/credit-card/charge`
  const charge = (source: object, key: string = randomUUID()) =>
    system.api('POST', path, {
      body: { amount: 1_000, installments: 1, customer, ...source },
      headers: { 'idempotency-key': key },
    })
  const chargeOnce = (name: string) => charge({ card: { ...cardFields(cardEndingIn(1)), cvv: '123' } }, name)
  const keepCard = async () => {
    const { status, body } = await system.api('POST', '/api/v2/cards/tokens', {
      body: nextCard(),
      headers: { 'idempotency-key': randomUUID() },
    })
    if (status !== 201) throw new Error(`a card to keep was answered ${status} ${body?.code}`)
    return body.token as string
  }
  const encrypt = () =>
    new CompactEncrypt(Buffer.from(JSON.stringify({ ...nextCard(), cvv: '123' })))
      .setProtectedHeader({ alg: 'RSA-OAEP-256', enc: 'A256GCM', iat: Math.floor(Date.now() / 1_000) })
      .encrypt(publicKey)
  const askForPix = () =>
    system.api('POST', `/api/v2/sellers/${system.ready.sellerId}/orders/pix`, {
      body: { amount: 1_000, customer },
      headers: { 'idempotency-key': randomUUID() },
    })
  const chargeToken = (token: string) => charge({ cardToken: { token, cvv: '123' } })
  const sell: Record<Source, (kept: readonly string[]) => Promise<Answer>> = {
    'kept token': (kept) => chargeToken(kept[nth++ % kept.length] ?? ''),
    'fresh token': async () => chargeToken(await keepCard()),
    number: () => charge({ card: { ...nextCard(), cvv: '123' } }),
    'encrypted card': async () => charge({ card: { encryptedCard: await encrypt() } }),
  }

  const startLoad = (clients: number, kept: readonly string[]): Load => {
    const charged = { 'kept token': 0, 'fresh token': 0, number: 0, 'encrypted card': 0 }
    const charges: ChargeJson[] = []
    const failures: string[] = []
    let stopped = false
    const sellOn = async (first: number) => {
      for (let turn = first; !stopped; turn++) {
        const source = SOURCES[turn % SOURCES.length] as Source
        const answer = await sell[source](kept).catch((error: Error) => error)
        if (answer instanceof Error) failures.push(`${source}: ${answer.message}`)
        else if (answer.status !== 201 || answer.body.status !== 'CAPTURED') {
          failures.push(`${source}: ${answer.status} ${answer.body?.code ?? answer.body?.status}`)
        } else {
          charges.push(answer.body)
          charged[source] += 1
        }
      }
    }
    const running = Array.from({ length: clients }, (_, client) => sellOn(client))
    const stop = async () => {
      stopped = true
      await Promise.all(running)
      return { charges, failures }
    }
    return { charged: () => ({ ...charged }), stop }
  }
  return { keepCard, chargeToken, askForPix, chargeOnce, startLoad }
}
