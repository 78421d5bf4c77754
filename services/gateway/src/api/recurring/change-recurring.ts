import { collectionMethod, presentRecurring, recurringSchema } from '@cofre/api/recurring-invoice'
import { callRepeatable } from '@cofre/platform/grpc/client'
import { RecurringInvoice, UpdateRecurringInvoiceRequest } from '@cofre/proto/invoices/v1/recurring'
import { z } from 'zod'
import { route } from '../../http/route'
import { withRule } from '../fields/body-fields'
import { pathId } from '../fields/path-fields'
import { dueDate, id, itemSchema, MAX_TOTAL, totalOf } from '../invoices/terms-request'
import { RECURRING, tag } from './recurring-invoices'
import { extraItemSchema } from './recurring-request'

const fields = z.object({
  cardId: id().optional().meta({
    description:
      'With CHARGE_AUTOMATICALLY: the stored card to charge from now on, until the customer keeps another. Also for invoices that wait for their next try. Not a card of another customer.',
  }),
  chargesKeptCard: z.literal(true).optional().meta({
    description: 'true: cardId becomes null, and the card that the customer keeps is charged.',
  }),
  collectionMethod: collectionMethod.schema.optional().meta({
    description:
      'Of the invoices of the next cycles. SEND_INVOICE removes cardId: an invoice that waits for its next try is then tried with the card that the customer keeps, or waits for one.',
  }),
  nextCycleDate: dueDate().optional().meta({
    description:
      'The day of the next cycle; all later ones are counted from it. After today, and before the day of the cycle that follows the next one.',
  }),
  recurringItems: z.array(itemSchema).min(1).max(500).optional().meta({
    description: 'Replaces the items of every cycle, from the next one on.',
  }),
  extraItems: z.array(extraItemSchema).max(500).optional().meta({
    description: 'Replaces the items of single cycles that are not billed yet.',
  }),
  noExtraItems: z.literal(true).optional().meta({
    description: 'true: no single cycle has items of its own any more. An empty extraItems changes nothing.',
  }),
})

const inEachCycle = withRule(fields, {
  code: 'MAX',
  detail: `must add up to at most ${MAX_TOTAL} cents`,
  path: ['recurringItems'],
  holds: ({ recurringItems = [] }) => totalOf(recurringItems) <= MAX_TOTAL,
})

type Given = Record<string, unknown>
const isOne = (given: Given, one: string, other: string) =>
  given[one] === undefined || given[other] === undefined

const ofOneCard = withRule(inEachCycle, {
  code: 'CONFLICT',
  detail: 'contradicts cardId',
  path: ['chargesKeptCard'],
  holds: (given) => isOne(given, 'cardId', 'chargesKeptCard'),
})

/** A change of a recurring invoice: what is left out stays. */
export const recurringChangeSchema = withRule(ofOneCard, {
  code: 'CONFLICT',
  detail: 'contradicts extraItems',
  path: ['noExtraItems'],
  holds: (given) => isOne(given, 'extraItems', 'noExtraItems'),
}).meta({
  id: 'RecurringInvoiceChange',
  examples: [
    {
      cardId: 42,
      nextCycleDate: 1_804_129_200_000,
      recurringItems: [{ productId: 1, quantity: 1, unitPriceInCents: 10_900 }],
    },
  ],
})

const updateRecurringInvoice = route({
  method: 'PATCH',
  path: `${RECURRING}/{id}`,
  scope: 'invoices:write',
  operationId: 'updateRecurringInvoice',
  tag,
  summary: 'Change a recurring invoice',
  description:
    'Changes what you send, and leaves the rest. Invoices that were made stay as they are. A change of items or of the collection method holds from the next cycle on, a card from the next try on: an invoice whose card was declined is tried with the new one on its next day. Each cycle is billed once and in full. nextCycleDate makes the running cycle longer or shorter and its price stays. While a cycle is due and not billed yet, its day cannot change: INVALID_INVOICE_STATE. Of a card that you name and one that the customer keeps, the one chosen last is charged (nextCardId). A PAUSED recurring invoice goes on by the new day once you resume it. While the payer permits Pix Automático, neither the day nor the collection method can change, nor a fixed amount: PIX_PERMISSION_OPEN. Of a booklet that charges a card, only the card can change. A change that changes nothing sends no event.',
  params: z.object({ id: pathId }),
  body: {
    kind: 'json',
    schema: recurringChangeSchema,
    required: true,
    recorded: { cardId: true, chargesKeptCard: true, collectionMethod: true, nextCycleDate: true },
  },
  responses: { 200: { description: 'The recurring invoice after the change.', schema: recurringSchema } },
  problems: ['INVALID_INVOICE_STATE', 'REFERENCE_NOT_FOUND', 'SPLIT_EXCEEDS_TOTAL', 'PIX_PERMISSION_OPEN'],
  message: RecurringInvoice,
  handle: ({ sellerId, params, body }, { services: { recurring } }) => {
    const { collectionMethod: method, chargesKeptCard: unnameCard = false, recurringItems } = body
    const extraItems = body.noExtraItems ? [] : body.extraItems
    const request = UpdateRecurringInvoiceRequest.fromPartial({
      sellerId,
      recurringInvoiceId: params.id,
      cardId: body.cardId,
      unnameCard,
      collectionMethod: method && collectionMethod.valueOf(method),
      nextCycleDate: body.nextCycleDate,
      recurringItems: recurringItems && { items: recurringItems },
      extraItems: extraItems && { items: extraItems.map(({ cycle, ...item }) => ({ cycle, item })) },
    })
    return callRepeatable(recurring, recurring.updateRecurringInvoice, request)
  },
  present: (changed) => ({ status: 200, body: presentRecurring(changed) }),
})

export const changeRecurringRoutes = [updateRecurringInvoice]
