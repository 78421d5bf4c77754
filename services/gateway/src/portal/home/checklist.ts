import type { themeSchema } from '@cofre/api/theme'
import type { Request, Response } from 'express'
import type { z } from 'zod'
import { readCookie } from '../../pages/cookies'
import { parameter } from '../../pages/form'
import { listTokens } from '../../sellers/api-tokens/token-store'
import { listPortalUsers } from '../../sellers/portal-user-store'
import { hasRight } from '../../sellers/roles'
import { findTotp } from '../../sellers/two-step-store'
import { isStandard } from '../../payers/checkout/palette'
import { allows } from '../desk/api'
import type { Portal } from '../portal-context'
import { sessionOf } from '../session'
import type { Word } from '../words/portuguese'
import type { Counted } from './figures'

/** A step of a new seller: where it is done, and whether it is. */
export type Step = { label: Word; to: string; isDone: boolean }

type Theme = z.output<typeof themeSchema>
type Ask = <Body>(operation: string, query: Record<string, string>) => Promise<Body | undefined>

const COOKIE = 'portal_checklist'
const YEAR_MS = 31_536_000_000

/** True when this browser hides the first steps. */
export function isHidden(req: Request): boolean {
  return readCookie(req, COOKIE) === 'hidden'
}

/** Hides the first steps in this browser where its address asks for it, and leads to the page without them. */
export function hideSteps({ root, baseUrl }: Portal, req: Request, res: Response): boolean {
  if (parameter(req, 'steps') !== 'hide') return false
  const secure = baseUrl.startsWith('https:')
  res.cookie(COOKIE, 'hidden', { httpOnly: true, sameSite: 'lax', secure, path: root, maxAge: YEAR_MS })
  res.redirect(303, root)
  return true
}

/** The first steps of a shop, for its owners, from what exists. None once all are done, and while a part is not known. */
export async function firstSteps(
  portal: Portal,
  res: Response,
  ask: Ask,
  endpointsAsked: Promise<Counted<unknown> | undefined>,
): Promise<Step[]> {
  const { sellerId, userId, role } = sessionOf(res)
  if (!hasRight(role, 'people') || !allows(res, 'replaceInvoiceTheme')) return []
  const one = { size: '1' }
  const [products, endpoints, theme, { tokens }, { users }, totp] = await Promise.all([
    ask<Counted<unknown>>('listProducts', one),
    endpointsAsked,
    ask<Theme>('getInvoiceTheme', {}),
    listTokens(portal.pool, sellerId, { size: 1 }),
    listPortalUsers(portal.pool, sellerId),
    findTotp(portal.pool, userId),
  ])
  if (!products || !endpoints || !theme) return []
  const { primaryColor, secondaryColor } = theme
  const steps: Step[] = [
    {
      label: 'Create a product and share its payment link',
      to: '/products/new',
      isDone: products.totalElements > 0,
    },
    {
      label: 'Give the payment page your colors and your logo',
      to: '/settings/theme',
      isDone: theme.logoUrl !== null || !isStandard({ primaryColor, secondaryColor, ...theme.colors }),
    },
    {
      label: 'Connect your system: an API token or a webhook',
      to: '/settings/integrations/api',
      isDone: tokens.length > 0 || endpoints.totalElements > 0,
    },
    {
      label: 'Invite a second person, or turn on two-step sign-in',
      to: users.length > 1 ? '/settings/two-step' : '/settings/people',
      isDone: users.length > 1 || totp !== null,
    },
  ]
  return steps.every(({ isDone }) => isDone) ? [] : steps
}
