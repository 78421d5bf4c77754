import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { presentInvoice } from '@cofre/api/invoice'
import { Invoice, InvoiceStatus } from '@cofre/proto/invoices/v1/invoices'

const LONGEST = '漢'.repeat(255)
const LARGEST = Number.MAX_SAFE_INTEGER

test('the largest invoice is told in a message of the size that the manual states', () => {
  const invoice = Invoice.fromPartial({
    id: LARGEST,
    status: InvoiceStatus.CLOSED,
    invoiceNumber: LONGEST,
    customer: { id: LARGEST, name: LONGEST, document: '12345678909', email: LONGEST },
    items: Array.from({ length: 500 }, (_, index) => ({
      id: index + 1,
      productId: LARGEST,
      description: LONGEST,
      quantity: 1_000_000,
      unitPriceInCents: LARGEST,
      totalInCents: LARGEST,
    })),
    splits: Array.from({ length: 500 }, () => ({
      recipientId: LARGEST,
      amountInCents: LARGEST,
      liable: false,
      chargeProcessingFee: false,
    })),
  })
  const bytes = Buffer.byteLength(JSON.stringify(presentInvoice(invoice, 'https://pay.example.com')))
  // Express takes no more by itself, which is why the manual says how to raise it.
  expect(bytes).toBeGreaterThan(100 * 1024)
  // The rest of the invoice and the envelope have room in a quarter of it.
  expect(bytes).toBeLessThan(750_000)
  const manual = readFileSync(join(__dirname, '../../views/docs/webhooks.eta'), 'utf8')
  expect(manual).toContain('A message has at most 1 MB')
})
