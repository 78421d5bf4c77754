/**
 * How the txids of orders begin. A seller's orders and invoices share one Pix key: the service of orders looks at money
 * under such a txid, and the service of invoices at all other money of the key.
 */
const OF_ORDER = 'ORDER'

/** A txid of an order: 26 to 35 letters and digits. `random`: what makes it unique. */
export function orderTxid(random: string): string {
  return `${OF_ORDER}${random}`
}

export function isOrderTxid(txid: string): boolean {
  return txid.startsWith(OF_ORDER)
}
