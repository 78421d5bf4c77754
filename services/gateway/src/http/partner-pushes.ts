import { DomainError } from '@cofre/platform/errors'
import { callRpc } from '@cofre/platform/grpc/client'
import type { RequestHandler } from 'express'
import { sendAnswer } from './answer'
import { countStranger, refuseCounted } from './authenticate'
import type { Deps } from '../deps'
import { readBody } from './read-body'

export const TOKEN_SERVICE_PUSHES = '/partners/token-service/events'

const MAX_PUSH_BYTES = 8 * 1024
/** What a push is proved by (Standard Webhooks). */
const SIGNED_HEADERS = ['webhook-id', 'webhook-timestamp', 'webhook-signature']

/**
 * Passes a push of the token service on, as it came: its bytes are what is signed, and the service that it is for
 * has the secret. No part of the integrators' API.
 */
export function takeTokenServicePush(deps: Deps): RequestHandler {
  const { networkTokens } = deps.services
  return async (req, res) => {
    const given = SIGNED_HEADERS.map((name) => [name, String(req.headers[name] ?? '')] as const)
    // Who shows no signature is a stranger, counted as such; and a body that trickles in holds no place.
    if (given.some(([, value]) => value === '')) {
      countStranger(deps, req, res)
      throw new DomainError('unauthenticated', 'TOKEN_INVALID', 'A push is signed.')
    }
    // Who forged one has been counted: it may ask again as seldom as any stranger.
    refuseCounted(deps, req)
    const body = await readBody(req, res, MAX_PUSH_BYTES)
    res.once('close', deps.inFlight.enter({}))
    try {
      await callRpc(networkTokens, networkTokens.takePush, { body, headers: Object.fromEntries(given) })
    } catch (error) {
      if (error instanceof DomainError && error.kind === 'unauthenticated') countStranger(deps, req, res)
      throw error
    }
    sendAnswer(res, { status: 204 })
  }
}
