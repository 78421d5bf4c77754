import type { Route } from '../route'
import { cardRoutes } from './cards'
import { chargeRoutes } from './charges'
import { deliveryRoutes } from './deliveries'
import { documentRoutes } from './document'
import { historyRoutes } from './history'
import { orderRoutes } from './orders'
import { requestRoutes } from './requests'
import { serviceRoutes } from './service'
import { webhookRoutes } from './webhooks'

const apiRoutes = [...cardRoutes, ...orderRoutes, ...chargeRoutes, ...webhookRoutes, ...deliveryRoutes]

/** Every route of the HTTP API. */
export const routes: readonly Route[] = [
  ...apiRoutes,
  ...requestRoutes(apiRoutes),
  ...historyRoutes,
  ...serviceRoutes,
  ...documentRoutes(() => routes),
]
