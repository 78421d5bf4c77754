import { customerCardsSchema, presentCustomerCard } from '@cofre/api/recurring/customer-card'
import { callRpc } from '@cofre/platform/grpc/client'
import { z } from 'zod'
import { route } from '../../http/route'
import { pathId } from '../fields/path-fields'

const PATH = '/api/v2/customers/{id}/cards'
const tag = 'Customers'

const listCustomerCards = route({
  method: 'GET',
  path: PATH,
  scope: 'customers:read',
  operationId: 'listCustomerCards',
  tag,
  summary: 'List the stored cards that are charged for a customer',
  description:
    'The card that the customer keeps first. A customer keeps a card with keepYourCardForAutomaticCharges; a recurring invoice or booklet can name another one.',
  params: z.object({ id: pathId }),
  responses: { 200: { description: 'The cards. Empty: none is charged.', schema: customerCardsSchema } },
  handle: ({ sellerId, params }, { services: { customers } }) =>
    callRpc(customers, customers.listCustomerCards, { sellerId, customerId: params.id }),
  present: ({ cards }) => ({ status: 200, body: { cards: cards.map(presentCustomerCard) } }),
})

const removeCustomerCard = route({
  method: 'DELETE',
  path: `${PATH}/{cardId}`,
  scope: 'customers:write',
  operationId: 'removeCustomerCard',
  tag,
  summary: 'Stop charging a stored card for a customer',
  description:
    'The customer no longer keeps it, and no recurring invoice or booklet names it. Automatic charges that have no other card become NEEDS_CARD. A charge that is TRYING still completes. Cofre destroys a card that it stored itself; one that you stored stays until you delete its token.',
  params: z.object({ id: pathId, cardId: pathId }),
  responses: { 204: { description: 'The card is no longer charged.' } },
  handle: ({ sellerId, params }, { services: { customers } }) =>
    callRpc(customers, customers.removeCustomerCard, {
      sellerId,
      customerId: params.id,
      cardId: params.cardId,
    }),
  present: () => ({ status: 204 }),
})

export const customerCardRoutes = [listCustomerCards, removeCustomerCard]
