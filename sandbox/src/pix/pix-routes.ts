import { cobrRoutes } from './automatic/cobr-routes'
import { recRoutes } from './automatic/rec-routes'
import type { PixRoute } from './call'
import { chargeRoutes } from './charges/charge-routes'
import { locationRoutes } from './locations/location-routes'
import { receivedRoutes } from './received/received-routes'
import { webhookRoutes } from './webhooks/webhook-routes'

export const ROUTES: readonly PixRoute[] = [
  ...chargeRoutes,
  ...locationRoutes,
  ...receivedRoutes,
  ...webhookRoutes,
  ...recRoutes,
  ...cobrRoutes,
]

/** What an account may do: all that a token can allow. */
export const SCOPES: readonly string[] = [...new Set(ROUTES.map(([, , scope]) => scope))]
