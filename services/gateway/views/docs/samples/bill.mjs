const BASE = '{baseUrl}'
const { COFRE_TOKEN, COFRE_SELLER } = process.env
const ORDER = `bill-${Date.now()}`

/** Bills 100.00 to a customer. Returns the invoice with paymentUrl, the page where the customer pays. */
export async function bill() {
  const customer = await make('/api/v2/customers', {
    name: 'Ana Souza',
    document: '123.456.789-09',
    email: 'ana@example.com',
  })
  const product = await make('/api/v2/products', { name: 'One hour', value: 5000, productType: 'ONETIME' })
  const invoice = await make(`/api/v2/sellers/${COFRE_SELLER}/invoices`, {
    customerId: Number(customer.split('/').at(-1)),
    dueDate: Date.now() + 7 * 24 * 3600 * 1000,
    items: [{ productId: Number(product.split('/').at(-1)), quantity: 2, unitPriceInCents: 5000 }],
  })
  await make(`${invoice.slice(BASE.length)}/finalize`)
  const response = await fetch(invoice, { headers: { Authorization: `Bearer ${COFRE_TOKEN}` } })
  return response.json()
}

/** Returns the Location of what was made. The key makes a repeated call safe. */
async function make(path, body) {
  const response = await fetch(`${BASE}${path}`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${COFRE_TOKEN}`,
      'Content-Type': 'application/json',
      'Idempotency-Key': `${ORDER}${path}`,
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
  return response.headers.get('location')
}
