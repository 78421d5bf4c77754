import type { Canaries } from './canaries'
import { goodBody, openCard } from './good-bodies'
import { JSON_TYPE, type Product } from './product'

type Told = { what: string; status: number }

/** Sends numbers in headers, paths and queries, well-formed or not. */
export async function misdirect(product: Product, canaries: Canaries, token: string): Promise<Told[]> {
  const told: Told[] = []
  const ask = async (method: string, path: string, headers: Record<string, string> = {}, body?: object) => {
    const { status } = await product.ask(method, path, {
      headers: { ...(body ? JSON_TYPE : {}), ...headers },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    told.push({
      what: `${method} ${path.replaceAll(/\d{12,}/g, '*')} ${Object.keys(headers).join()}`,
      status,
    })
  }
  const number = () => canaries.next().number
  const order = () => goodBody('/authorize', { card: {}, token, inbox: '' })
  for (const name of HEADERS) {
    await ask('GET', '/api/v2/charges', { [name]: number() })
    await ask('POST', '/api/v2/orders/credit-card/authorize', { [name]: number() }, order())
    await ask('POST', '/api/v2/cards/tokens', { [name]: number() }, openCard(canaries.next()))
  }
  await ask('GET', '/api/v2/charges', {
    traceparent: `00-${'a'.repeat(32)}-${canaries.next('VISA').number}-01`,
  })
  await ask('GET', '/api/v2/charges', { authorization: `Bearer ${number()}` })
  for (const path of PATHS) {
    await ask('GET', path.replace('*', number()))
    await ask('DELETE', path.replace('*', number()))
    await ask('POST', path.replace('*', number()), {}, { amount: 1 })
    await ask('PUT', path.replace('*', number()), {}, { cart: '77' })
  }
  return told
}

const HEADERS = [
  'Idempotency-Key',
  'X-Request-Id',
  'User-Agent',
  'Cookie',
  'X-Card-Number',
  'Referer',
  'X-Forwarded-For',
]

/** Not `externalReference`: the contract takes any whole number there, so that its list is searched by any, too. */
const PATHS = [
  '/*',
  '/api/v2/*',
  '/api/v2/cards/tokens/*',
  '/api/v2/charges/*',
  '/api/v2/charges/*/capture',
  '/api/v2/charges/*/metadata',
  '/api/v2/requests/*',
  '/api/v2/sellers/*/orders/credit-card/charge',
  '/api/v2/charges?orderReference=*',
  '/api/v2/charges?status=*',
  '/api/v2/charges?page=*',
  '/api/v2/charges?*=1',
  '/api/v2/charges/1?card=*',
  '/docs/*',
  '/portal/*',
  '/portal/charges?q=*',
]
