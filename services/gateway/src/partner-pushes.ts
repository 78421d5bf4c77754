import { callRpc } from '@cofre/platform/grpc-client'
import type { RequestHandler } from 'express'
import { sendAnswer } from './answer'
import type { Deps } from './deps'
import { readBody } from './read-body'

export const TOKEN_SERVICE_PUSHES = '/partners/token-service/events'

/** What a push is proved by (Standard Webhooks). */
const SIGNED_HEADERS = ['webhook-id', 'webhook-timestamp', 'webhook-signature']

/**
 * Passes a push of the token service on, as it came: its bytes are what is signed, and the service that it is for
 * has the secret. No part of the integrators' API.
 */
export function takeTokenServicePush({ services: { networkTokens }, inFlight }: Deps): RequestHandler {
  return async (req, res) => {
    res.once('close', inFlight.enter({}))
    const body = await readBody(req)
    const given = SIGNED_HEADERS.map((name) => [name, String(req.headers[name] ?? '')] as const)
    await callRpc(networkTokens, networkTokens.takePush, { body, headers: Object.fromEntries(given) })
    sendAnswer(res, { status: 204 })
  }
}
