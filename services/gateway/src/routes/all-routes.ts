import type { Route } from '../route'
import { cardRoutes } from './cards'
import { chargeRoutes } from './charges'
import { documentRoutes } from './document'
import { orderRoutes } from './orders'
import { requestRoutes } from './requests'
import { serviceRoutes } from './service'
import { webhookRoutes } from './webhooks'

const apiRoutes = [...cardRoutes, ...orderRoutes, ...chargeRoutes, ...webhookRoutes]

/** Every route of the HTTP API. */
export const routes: readonly Route[] = [
  ...apiRoutes,
  ...requestRoutes(apiRoutes),
  ...serviceRoutes,
  ...documentRoutes(() => routes),
]
