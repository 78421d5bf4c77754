import type { Deps } from '../deps'
import type { Confirm } from './people/confirm-password'
import type { Show } from './pages'
import type { Cookies } from './session'

/** The dependencies of every page. The portal asks the routes of the API, so it needs what they need. */
export type Portal = Deps & {
  /** The path of the portal as the browser sees it, without a slash at the end. */
  root: string
  cookies: Cookies
  show: Show
  confirm: Confirm
}
