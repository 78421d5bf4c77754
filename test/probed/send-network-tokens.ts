import { eventually } from '@cofre/testing/testing'
import type { Canaries } from './canaries'
import { openCard, type Json } from './good-bodies'
import { fillPath, type Operation } from './operations'
import { JSON_TYPE, type Product } from './product'

type Asking = { canaries: Canaries; encrypt: (content: Json) => Promise<string>; notificationUrl: string }

/** Requests network tokens by every path and in every form of a card; deactivates the last ACTIVE one. */
export async function askForTokens(
  product: Product,
  operations: readonly Operation[],
  { canaries, encrypt, notificationUrl }: Asking,
): Promise<string[]> {
  const post = async (path: string, body?: Json) => {
    const sending = body ? { headers: JSON_TYPE, body: JSON.stringify(body) } : {}
    const { status, text } = await product.ask('POST', path, sending)
    return { status, body: JSON.parse(text) as Json }
  }
  const tokens: string[] = []
  for (const { path } of operations) {
    const at = fillPath(path, { sellerId: product.ready.sellerId })
    for (const brand of ['VISA', 'MASTERCARD'] as const) {
      const [open, sealed, kept, refused] = Array.from({ length: 4 }, (_each, nth) =>
        canaries.next(brand, nth === 3 ? 9 : 1),
      ).map((canary) => ({ ...openCard(canary), cvv: canary.cvv }))
      const { cvv: _cvv, ...card } = kept ?? {}
      const stored = await post('/api/v2/cards/tokens', card)
      const forms = [
        open,
        { encryptedCard: await encrypt(sealed ?? {}) },
        { cardToken: { token: stored.body.token } },
        refused,
      ]
      for (const form of forms) {
        const { status, body } = await post(at, { ...form, notificationUrl })
        if (status !== 202) throw new Error(`a network token was answered ${status}`)
        tokens.push(`${at}/${String(body.token)}`)
      }
    }
  }
  const states = await Promise.all(tokens.map((path) => settled(product, path)))
  const active = tokens.filter((_path, at) => states[at] === 'ACTIVE')
  await post(`${active.pop() ?? ''}/deactivate`)
  return active.map((path) => path.split('/').at(-1) ?? '')
}

function settled(product: Product, path: string): Promise<string> {
  return eventually(async () => {
    const { text } = await product.ask('GET', path)
    const { status } = JSON.parse(text) as { status: string }
    if (status === 'PENDING') throw new Error('a network token is still PENDING')
    return status
  })
}
