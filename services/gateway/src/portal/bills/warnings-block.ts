import type { boletoSchema } from '@cofre/api/boleto'
import type { InvoiceJson } from '@cofre/api/invoice'
import type { RecurringJson } from '@cofre/api/recurring-invoice'
import type { z } from 'zod'
import type { Block } from '../desk/thing'
import type { Word } from '../words/portuguese'
import { link, word } from '../words/value'

type BoletoJson = z.output<typeof boletoSchema>

const TEXTS: Readonly<Record<string, { ofInvoice: Word; ofPlan: Word }>> = {
  NOBODY_TO_MAIL: {
    ofInvoice:
      'The customer has no e-mail address, so no letter leaves. Add an address, or hand over the link of the payment page.',
    ofPlan:
      'The customer has no e-mail address, so no letter leaves. Add an address, or hand over the payment page of each invoice.',
  },
  NOBODY_TO_CHARGE: {
    ofInvoice:
      'The customer has neither an e-mail address nor a card that can be charged. Add an address and send the invoice: its payment page takes a card for the next ones too.',
    ofPlan:
      'The customer has neither an e-mail address nor a card that can be charged. Add an address: each invoice then leaves by e-mail, and its payment page takes a card for the next ones too.',
  },
}

const CARD_TEXTS: Readonly<Record<string, readonly [title: Word, text: Word]>> = {
  CARD_FAILS: [
    'Its card fails.',
    'The card was declined for an open invoice, or cannot be charged. The invoice says why, and when a card is tried again. Its payment page takes another card.',
  ],
  CARD_GIVEN_UP: [
    'Its card was given up.',
    'No card is tried any more for an open invoice. Open the invoice: charge the card once more there, or send its payment page, which takes another card.',
  ],
}

/** Said first on the page of an invoice that reaches nobody, with what to do. */
export function unreachedInvoice({ warnings, customer }: InvoiceJson): Pick<Block, 'alert'> {
  return alertOf(warnings, 'This invoice reaches nobody.', 'ofInvoice', customer.id)
}

/** The same of a recurring invoice, or that its card fails. */
export function planWarning({ warnings, customerId }: RecurringJson): Pick<Block, 'alert'> {
  const unreached = alertOf(warnings, 'Its invoices reach nobody.', 'ofPlan', customerId)
  const [words] = warnings.flatMap(({ code }) => (CARD_TEXTS[code] ? [CARD_TEXTS[code]] : []))
  if (unreached.alert || !words) return unreached
  return { alert: { title: word(words[0]), text: word(words[1]) } }
}

function alertOf(
  warnings: InvoiceJson['warnings'],
  title: Word,
  of: 'ofInvoice' | 'ofPlan',
  customerId: number,
): Pick<Block, 'alert'> {
  const [text] = warnings.flatMap(({ code }) => TEXTS[code]?.[of] ?? [])
  if (!text) return {}
  return { alert: { title: word(title), text: word(text), link: customerLink(customerId) } }
}

const customerLink = (id: number) => link(`/customers/${id}`, word('Open the customer'))

const SLIP_TEXTS: Readonly<Record<string, readonly [title: Word, text: Word]>> = {
  PAYER_ADDRESS_INCOMPLETE: [
    'The bank was told of no address of the payer.',
    'The customer lacks street, city, state or ZIP code. Complete the address: the next boleto is registered with it.',
  ],
  INSTRUCTIONS_CUT: [
    'The cashier does not read all instructions.',
    'They are too long for the part of the slip that the cashier reads. The payer’s part has all of them.',
  ],
}

/** What may surprise about a slip that can still be paid, the newest first. */
export function slipWarning(boletos: readonly BoletoJson[], customerId: number): Pick<Block, 'alert'> {
  const open = boletos.find(({ status }) => status === 'REGISTERED' || status === 'PENDING')
  const [code] = open?.warnings.flatMap((warning) => (warning.code in SLIP_TEXTS ? warning.code : [])) ?? []
  const words = SLIP_TEXTS[code ?? '']
  if (!words) return {}
  const lead = code === 'PAYER_ADDRESS_INCOMPLETE' ? { link: customerLink(customerId) } : {}
  return { alert: { title: word(words[0]), text: word(words[1]), ...lead } }
}
