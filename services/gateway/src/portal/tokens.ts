import { Router, type RequestHandler, type Response } from 'express'
import { issueToken } from '../api-tokens/issue-token'
import { tokenStatus, type Token } from '../api-tokens/token'
import { findToken, listTokens, revokeToken } from '../api-tokens/token-store'
import { formatDay, formatTime } from './brazilian-format'
import type { Badge } from './charge-words'
import { keepFlash, readFlash } from './flash'
import { parameter } from '../pages/form'
import {
  expiryFault,
  readNewToken,
  refusedFields,
  scopeRows,
  type NewTokenFaults,
  type NewTokenForm,
} from './new-token'
import type { Portal } from './portal-context'
import { pageNotFound } from './portal-fault'
import { runOnce } from './sent-once'
import { sessionOf } from './session'

const BADGES: Record<ReturnType<typeof tokenStatus>, Badge> = {
  ACTIVE: { text: 'Active', mood: 'good' },
  EXPIRED: { text: 'Expired', mood: 'quiet' },
  REVOKED: { text: 'Revoked', mood: 'bad' },
}

const PAGE_SIZE = 25

const EMPTY_FORM: NewTokenForm = { title: '', expiresOn: '', allScopes: false, scopes: [] }

/** Settings, Integrations, API: the seller's tokens. */
export function tokenPages(portal: Portal): Router {
  const router = Router()
  router.get('/', showTokens(portal))
  router.get('/new', (_req, res) => showForm(portal, res, EMPTY_FORM))
  router.post('/new', makeToken(portal))
  router.get('/:id/revoke', askToRevoke(portal))
  router.post('/:id/revoke', revoke(portal))
  return router
}

function backToTokens({ root }: Portal, res: Response): void {
  res.redirect(303, `${root}/settings/integrations/api`)
}

function showTokens(portal: Portal): RequestHandler {
  return async (req, res) => {
    const after = parameter(req, 'after') || undefined
    if (after !== undefined) await ownToken(portal, res, after)
    const { tokens, more } = await listTokens(portal.pool, sessionOf(res).sellerId, {
      after,
      size: PAGE_SIZE,
    })
    const list = `${portal.root}/settings/integrations/api`
    const data = {
      rows: tokens.map(tokenRow),
      newest: after === undefined ? undefined : list,
      next: more ? `${list}?after=${tokens.at(-1)?.id}` : undefined,
      flash: await readFlash(portal, res),
    }
    portal.show(res, { view: 'tokens', title: 'API tokens', section: 'api', data })
  }
}

function makeToken(portal: Portal): RequestHandler {
  return async (req, res) => {
    const form = readNewToken(req)
    const { sellerId, userId } = sessionOf(res)
    const early = expiryFault(form, Date.now())
    if (early) return showForm(portal, res, form, early)
    try {
      await runOnce(portal, req, res, async () => {
        const { accessToken, token } = await issueToken(portal, { sellerId, ...form })
        portal.log.info({ portalUserId: userId, tokenId: token.id }, 'token made in the portal')
        await keepFlash(portal, res, { notice: `“${token.title}” was created.`, accessToken })
      })
    } catch (error) {
      const faults = refusedFields(error)
      if (!faults) throw error
      return showForm(portal, res, form, faults)
    }
    backToTokens(portal, res)
  }
}

/** Asks on a page of its own, so that no script is needed. */
function askToRevoke(portal: Portal): RequestHandler<{ id: string }> {
  return async (req, res) => {
    const token = tokenRow(await ownToken(portal, res, req.params.id))
    portal.show(res, { view: 'revoke-token', title: 'Revoke a token', section: 'api', data: { token } })
  }
}

function revoke(portal: Portal): RequestHandler<{ id: string }> {
  return async (req, res) => {
    const { id, title } = await ownToken(portal, res, req.params.id)
    const { sellerId, userId } = sessionOf(res)
    await revokeToken(portal.pool, id, sellerId)
    portal.log.info({ portalUserId: userId, tokenId: id }, 'token revoked in the portal')
    await keepFlash(portal, res, { notice: `“${title}” was revoked. It stops working within a second.` })
    backToTokens(portal, res)
  }
}

function showForm({ show }: Portal, res: Response, form: NewTokenForm, faults: NewTokenFaults = {}): void {
  show(res, {
    view: 'new-token',
    title: 'New token',
    section: 'api',
    status: Object.keys(faults).length > 0 ? 422 : 200,
    data: { form, faults, areas: scopeRows(form.scopes) },
  })
}

/** Finds a token of the seller. Another seller's token gets the same answer as none. */
async function ownToken({ pool }: Portal, res: Response, id: string): Promise<Token> {
  const token = await findToken(pool, id)
  if (!token || token.sellerId !== sessionOf(res).sellerId) throw pageNotFound()
  return token
}

function tokenRow(token: Token) {
  const status = tokenStatus(token, Date.now())
  return {
    id: token.id,
    title: token.title,
    scopes: token.scopes,
    created: formatTime(token.createdAt),
    lastUsed: token.lastUsedAt === null ? 'Never' : formatTime(token.lastUsedAt),
    expires: token.expiresAt === null ? 'Never' : formatDay(token.expiresAt),
    badge: BADGES[status],
    revocable: status === 'ACTIVE',
  }
}
