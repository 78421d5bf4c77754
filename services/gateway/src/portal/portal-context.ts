import type { Services } from '../clients'
import type { Deps } from '../deps'
import type { Show } from './pages'
import type { Cookies } from './session'

/** The parts of the service that the portal needs. */
export type PortalDeps = Pick<Deps, 'log' | 'pool' | 'keys' | 'baseUrl' | 'anonymousLimit' | 'inFlight'> & {
  services: Pick<Services, 'orders' | 'notifier'>
}

/** The dependencies of every page. */
export type Portal = PortalDeps & {
  /** The path of the portal as the browser sees it, without a slash at the end. */
  root: string
  cookies: Cookies
  show: Show
}
