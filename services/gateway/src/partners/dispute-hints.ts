import { timingSafeEqual, createHash } from 'node:crypto'
import { notFound } from '@cofre/platform/errors'
import { callRpc } from '@cofre/platform/grpc/client'
import { jsonOf } from '@cofre/platform/outbound/partner-answers'
import type { RequestHandler } from 'express'
import { z } from 'zod'
import type { Deps } from '../deps'
import { sendAnswer } from '../http/answer'
import { countStranger, refuseCounted } from '../http/authenticate'
import { countRunning, untilClosed } from '../http/in-flight'
import { readBody } from '../http/read-body'

export const DISPUTE_HINTS = '/partners/acquirer/disputes'

const MAX_HINT_BYTES = 64 * 1024

const number = z
  .union([z.string(), z.number()])
  .transform(String)
  .pipe(z.string().regex(/^\d{1,10}$/))
const named = z.object({ establishmentNumber: number })
/** A case alone, a step of one, or a list as the acquirer's queries answer. Nothing else of it is read. */
const hint = z.union([
  named.transform((one) => [one]),
  z.object({ content: z.array(named).max(200) }).transform(({ content }) => content),
])

/**
 * Takes the acquirer's calls about disputes. They are not signed: the path has a secret, and a call only says when to
 * ask. Every call with the secret is answered alike. Without the setting, the route does not exist.
 */
export function takeDisputeHint(deps: Deps): RequestHandler {
  const { disputes } = deps.services
  return async (req, res) => {
    refuseCounted(deps, req)
    if (!isSecret(deps.config.acquirerWebhookSecret, String(req.params['secret']))) {
      countStranger(deps, req, res)
      throw notFound('There is no operation at this path. See /docs for all of them.')
    }
    countRunning(deps.inFlight, req, res)
    const body = await readBody(req, res, MAX_HINT_BYTES)
    untilClosed(res, deps.inFlight.enter({}))
    const told = new Set(
      hint.safeParse(jsonOf(body)).data?.map(({ establishmentNumber }) => establishmentNumber),
    )
    for (const establishmentNumber of told)
      await callRpc(disputes, disputes.takeDisputeHint, { establishmentNumber })
    sendAnswer(res, { status: 200 })
  }
}

/** Compared by hashes of one length, in a time that tells nothing. */
function isSecret(secret: string | undefined, given: string): boolean {
  return secret !== undefined && timingSafeEqual(hashOf(secret), hashOf(given))
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
