import { DomainError, notFound } from '@cofre/platform/errors'
import { callRpc } from '@cofre/platform/grpc/client'
import type { RequestHandler } from 'express'
import type { Deps } from '../deps'
import { sendAnswer } from '../http/answer'
import { countStranger, refuseCounted } from '../http/authenticate'
import { countRunning, untilClosed } from '../http/in-flight'
import { readBody } from '../http/read-body'

/** API Pix adds `/pix`, `/rec` or `/cobr` to the address that a seller's account was given. */
export const PIX_NOTICES = [
  '/partners/pix/:token/pix',
  '/partners/pix/:token/rec',
  '/partners/pix/:token/cobr',
]

/** Several hundred Pix in one call. */
const MAX_NOTICE_BYTES = 512 * 1024

/**
 * Takes a bank's hint that money moved by Pix, or that a payer decided on Pix Automático. Its address is the secret of one account, and nothing of it is believed.
 * Who does not know the address counts as a stranger. Not part of the integrators' API.
 */
export function takePixNotice(deps: Deps): RequestHandler<{ token: string }> {
  const { pix, orders } = deps.services
  return async (req, res) => {
    refuseCounted(deps, req)
    const { token } = req.params
    if (!/^[\w-]{20,100}$/.test(token)) {
      countStranger(deps, req, res)
      throw notFound()
    }
    countRunning(deps.inFlight, req, res)
    const body = await readBody(req, res, MAX_NOTICE_BYTES)
    untilClosed(res, deps.inFlight.enter({}))
    try {
      await callRpc(pix, pix.takePixNotice, { token, body })
      // Invoices know the address; both services share the seller's key, and each looks at money of its own.
      await callRpc(orders, orders.takePixHint, { body, listed: [] })
    } catch (error) {
      if (error instanceof DomainError && error.kind === 'not_found') countStranger(deps, req, res)
      throw error
    }
    sendAnswer(res, { status: 204 })
  }
}
