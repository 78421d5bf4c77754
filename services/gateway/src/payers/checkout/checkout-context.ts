import type { PaymentPage } from '@cofre/proto/invoices/v1/pages'
import type { Response, Router } from 'express'
import type { Deps } from '../../deps'
import type { AskTries, CardTries } from './card-tries'
import type { Show, ShowChallenge, ShowFault, ShowPage } from './show-page'
import type { Visits } from './visits'

export type CheckoutDeps = Pick<
  Deps,
  | 'config'
  | 'log'
  | 'pool'
  | 'services'
  | 'baseUrl'
  | 'inFlight'
  | 'anonymousLimit'
  | 'fingerprintKeys'
  | 'sellerName'
>

/** The dependencies of every part of the checkout. */
export type Checkout = CheckoutDeps & {
  /** The path of the checkout as the browser sees it, without a slash at the end. */
  root: string
  /** The styles, scripts and pictures of the pages, mounted beneath the root. */
  assets: Router
  visits: Visits
  tries: CardTries
  askTries: AskTries
  show: Show
  showPage: ShowPage
  showFault: ShowFault
  showChallenge: ShowChallenge
}

/** The invoice of a request, with its page's id. */
export type Opened = { publicId: string; page: PaymentPage }

export function keepOpened(res: Response, opened: Opened): void {
  res.locals.opened = opened
}

/** Undefined until the invoice is found. */
export function findOpened(res: Response): Opened | undefined {
  return res.locals.opened as Opened | undefined
}

export function openedOf(res: Response): Opened {
  const opened = findOpened(res)
  if (!opened) throw new Error('a request that opened no page')
  return opened
}
