import { Router, type RequestHandler, type Response } from 'express'
import { issueToken } from '../sellers/api-tokens/issue-token'
import { tokenStatus, type Token } from '../sellers/api-tokens/token'
import { findToken, listTokens, revokeToken } from '../sellers/api-tokens/token-store'
import type { Badge } from './words/value'
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
import { record } from './people/audit-store'
import { runOnce } from './sent-once'
import { sessionOf } from './session'
import { wordsOf, type Words } from './words/language'

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
      rows: tokens.map((token) => tokenRow(token, wordsOf(res))),
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
    const { sellerId, userId, email: madeBy } = sessionOf(res)
    const early = expiryFault(form, Date.now())
    if (early) return showForm(portal, res, form, early)
    const unconfirmed = form.allScopes ? await portal.confirm(req, res) : undefined
    if (unconfirmed) return showForm(portal, res, form, { currentPassword: unconfirmed })
    try {
      await runOnce(portal, req, res, async () => {
        const { accessToken, token } = await issueToken(portal, { sellerId, madeBy, ...form })
        portal.log.info({ portalUserId: userId, tokenId: token.id }, 'token made in the portal')
        await record(portal, req, res, {
          action: 'TOKEN_MADE',
          subject: token.title,
          detail: { scopes: token.scopes },
        })
        await keepFlash(portal, res, {
          notice: wordsOf(res).t('“{title}” was created.', { title: token.title }),
          accessToken,
        })
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
    const token = tokenRow(await ownToken(portal, res, req.params.id), wordsOf(res))
    portal.show(res, { view: 'revoke-token', title: 'Revoke a token', section: 'api', data: { token } })
  }
}

function revoke(portal: Portal): RequestHandler<{ id: string }> {
  return async (req, res) => {
    const { id, title } = await ownToken(portal, res, req.params.id)
    const { sellerId, userId } = sessionOf(res)
    await revokeToken(portal.pool, id, sellerId)
    portal.log.info({ portalUserId: userId, tokenId: id }, 'token revoked in the portal')
    await record(portal, req, res, { action: 'TOKEN_REVOKED', subject: title })
    const notice = wordsOf(res).t('“{title}” was revoked. It stops working within a second.', { title })
    await keepFlash(portal, res, { notice })
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

function tokenRow(token: Token, { show, t }: Words) {
  const status = tokenStatus(token, Date.now())
  return {
    id: token.id,
    title: token.title,
    scopes: token.scopes,
    madeBy: token.madeBy ?? t('An operator'),
    created: show({ time: token.createdAt }).text,
    lastUsed: token.lastUsedAt === null ? t('Never') : show({ time: token.lastUsedAt }).text,
    expires: token.expiresAt === null ? t('Never') : show({ day: token.expiresAt }).text,
    badge: BADGES[status],
    revocable: status === 'ACTIVE',
  }
}
