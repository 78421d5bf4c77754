import { randomBytes } from 'node:crypto'
import type { Canaries } from '../canaries'
import { openCard, type Json } from '../good-bodies'
import { JSON_TYPE, type Product } from '../product'
import type { Encrypt } from '../send-canaries'

const DAY_MS = 86_400_000
/** Outcomes of the sandbox by the number's last digit: approved, declined, the answer lost. */
const OUTCOMES = [1, 2, 9]

export type PaidInvoices = {
  /** The statuses of the transactions. */
  statuses: Set<unknown>
  /** The authentication values, which are secrets of their payments. */
  authenticationValues: string[]
  /** The status of a payment that the 3-D Secure server authenticated, and of a boleto that the bank registered. */
  authenticated: unknown
  slip: unknown
}

/** Pays invoices with cards in every form, with and without an authentication, some refused; issues a boleto. */
export async function payInvoices(
  product: Product,
  canaries: Canaries,
  encrypt: Encrypt,
): Promise<PaidInvoices> {
  const send = async (path: string, body: object): Promise<Json> => {
    const answer = await product.ask('POST', path, { headers: JSON_TYPE, body: JSON.stringify(body) })
    return JSON.parse(answer.text || '{}') as Json
  }
  const customer = { name: 'Ana Souza', document: '52998224725', email: 'ana@example.com' }
  const { id: customerId } = await send('/api/v2/customers', customer)
  const { id: productId } = await send('/api/v2/products', {
    productType: 'ONETIME',
    name: 'Aula',
    value: 4_990,
  })
  const bill = async () => {
    const items = [{ productId, quantity: 1, unitPriceInCents: 4_990 }]
    const invoice = { customerId, dueDate: Date.now() + 10 * DAY_MS, items }
    const { id } = await send(`/api/v2/sellers/${product.ready.sellerId}/invoices`, invoice)
    return `/api/v2/invoices/${String(id)}`
  }
  const statuses = new Set<unknown>()
  const authenticationValues: string[] = []
  for (const digit of OUTCOMES) {
    const nextCard = () => {
      const canary = canaries.next('VISA', digit)
      return { ...openCard(canary), cvv: canary.cvv }
    }
    for (const card of [nextCard(), { encryptedCard: await encrypt(nextCard()) }]) {
      const invoice = await bill()
      const paid = await send(`${invoice}/credit-card/pay`, { card, keepYourCardForAutomaticCharges: true })
      statuses.add((paid.transactions as Json[] | undefined)?.at(-1)?.status)
    }
    const value = `${randomBytes(20).toString('base64').slice(0, 27)}=`
    authenticationValues.push(value)
    const proved = { authenticationValue: value, eci: '05', version: '2.2.0' }
    const body = { card: nextCard(), mode: 'AUTHENTICATION', threeDSecure: proved }
    const path = `${await bill()}/credit-card/three-d-secure/authorize`
    const paid = await send(path, body)
    statuses.add((paid.transactions as Json[] | undefined)?.at(-1)?.status)
    await send(path, { ...body, threeDSecure: { ...proved, eci: '99' } })
  }
  const asked = { card: { ...openCard(canaries.next('VISA', 1)) }, mode: 'CHALLENGE' }
  const authenticated = await send(`${await bill()}/credit-card/three-d-secure/authorize`, asked)
  const { status: slip } = await send(`${await bill()}/boleto`, {})
  return { statuses, authenticationValues, authenticated: authenticated.status, slip }
}
