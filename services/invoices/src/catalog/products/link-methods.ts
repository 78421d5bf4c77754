import type { Deps } from '../../deps'
import { cardFeesOf } from '../settings/billing-settings-store'
import { hasLink, type Product, type ProductMethod } from './product'

/** Why nobody can buy by a product's link, or not as its seller means it. */
export type ProductWarning = { pointer: string; code: string; detail: string }

const ALL: readonly ProductMethod[] = ['CREDIT_CARD', 'BOLETO', 'PIX']

type Terms = Pick<Product, 'methods' | 'productType' | 'value' | 'feePassThrough'>
type Accounts = Pick<Deps, 'boletos' | 'pix' | 'log'>

/** The methods by which a product can be paid now: those that it names, all where it names none, with an account at a bank. */
export async function usableMethods(
  deps: Accounts,
  sellerId: number,
  { methods }: Pick<Terms, 'methods'>,
): Promise<ProductMethod[]> {
  const named = methods.length === 0 ? ALL : methods
  const usable = await Promise.all(named.map((method) => isUsable(deps, sellerId, method)))
  return named.filter((_method, place) => usable[place])
}

/** While nobody knows, the payer may try. */
async function isUsable(
  { boletos, pix, log }: Accounts,
  sellerId: number,
  method: ProductMethod,
): Promise<boolean> {
  if (method === 'CREDIT_CARD') return true
  const { accounts } = method === 'PIX' ? pix : boletos
  try {
    return await accounts.has(sellerId)
  } catch (err) {
    log.warn({ err, sellerId }, 'the account of a seller at a bank could not be found')
    return true
  }
}

/** What a seller should know of a product before it shares the link. */
export async function linkWarnings(
  deps: Accounts & Pick<Deps, 'pool' | 'rules'>,
  sellerId: number,
  product: Terms,
): Promise<ProductWarning[]> {
  if (!hasLink(product)) return []
  const usable = await usableMethods(deps, sellerId, product)
  const hasFees = !product.feePassThrough || (await cardFeesOf(deps.pool, deps.rules, sellerId)).size > 0
  return [
    ...product.methods.flatMap((method, place) =>
      usable.includes(method)
        ? []
        : [
            {
              pointer: `#/methods/${place}`,
              code: 'METHOD_UNAVAILABLE',
              detail: `The payment link does not offer ${method}: you have no account for it.`,
            },
          ],
    ),
    ...(usable.length > 0
      ? []
      : [{ pointer: '#/methods', code: 'NO_METHOD', detail: 'Nobody can pay by the payment link.' }]),
    ...(hasFees
      ? []
      : [
          {
            pointer: '#/feePassThrough',
            code: 'NO_CARD_FEES',
            detail: 'The payment link charges no fee: neither you nor this installation has card fees.',
          },
        ]),
  ]
}
