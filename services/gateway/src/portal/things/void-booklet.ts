import type { InvoiceEntryJson } from '@cofre/api/invoice'
import type { RecurringJson } from '@cofre/api/recurring-invoice'
import type { VoidedBookletJson } from '@cofre/api/recurring/voided-booklet'
import type { Action, Ask } from '../desk/thing'
import { reais, word } from '../words/value'

/** As many as the API lists at once; a booklet has at most 120. */
const PAGE_SIZE = 100
const PAGES = ['0', '1']

export const voidBooklet: Action<RecurringJson> = {
  operation: 'voidBooklet',
  name: 'void',
  label: 'Void the booklet',
  danger: true,
  applies: ({ kind }) => kind === 'BOOKLET',
  says: async (booklet, ask) => {
    const open = (await invoicesOf(booklet, ask)).filter(isOpen)
    if (open.length === 0) return word('No invoice of this booklet is open. There is nothing to void.')
    return word(
      'Open invoices: {count}, together {sum}. They are voided with their slips, and nobody can pay them any more. Paid ones stay as they are. You cannot undo this.',
      {
        count: open.length,
        sum: reais(open.reduce((sum, { balanceInCents }) => sum + balanceInCents, 0)),
      },
    )
  },
  done: (invoices: VoidedBookletJson) => {
    const stayed = invoices.filter(({ error }) => error !== null)
    const said = word('Invoices that were voided: {count}.', { count: invoices.length - stayed.length })
    if (stayed.length === 0) return said
    const numbers = stayed.map(({ invoiceNumber }) => invoiceNumber).join(', ')
    return word('{said} These stay, since a payment is under way or they hold money: {numbers}.', {
      said,
      numbers,
    })
  },
}

async function invoicesOf({ id }: RecurringJson, ask: Ask): Promise<InvoiceEntryJson[]> {
  const pages = await Promise.all(
    PAGES.map((page) =>
      ask('listInvoicesOfRecurringInvoice', { page, size: String(PAGE_SIZE) }, { id: String(id) }),
    ),
  )
  return pages.flatMap((page) => (page as { content: InvoiceEntryJson[] }).content)
}

function isOpen({ status, paidInCents, refundedInCents }: InvoiceEntryJson): boolean {
  return status !== 'PAID' && status !== 'CANCELLED' && paidInCents <= refundedInCents
}
