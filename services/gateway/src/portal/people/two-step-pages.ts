import { qrOutline } from '@cofre/platform/qr-code'
import { openSecret, sealSecret } from '@cofre/platform/secret-box'
import { Router, type RequestHandler, type Response } from 'express'
import { line } from '../../pages/form'
import { keepFlash, readFlash } from '../flash'
import type { Portal } from '../portal-context'
import { keyOf, sessionOf } from '../session'
import { wordsOf } from '../words/language'
import { record } from './audit-store'
import { newRecoveryCodes, totpContext } from './second-step'
import { newTotpSecret, stepOf, totpAddress, typedSecret } from './totp'
import { findTotp, turnOff, turnOn } from '../../sellers/two-step-store'

const OFFERED = 'portal-totp-offer'

/** Settings, You, Two-step sign-in: a code of an app beside the password. */
export function twoStepPages(portal: Portal): Router {
  const router = Router()
  router.get('/', (_req, res) => showTwoSteps(portal, res))
  router.post('/on', turnItOn(portal))
  router.post('/off', turnItOff(portal))
  return router
}

/** The offered secret goes with the form, sealed for this browser: nothing is kept until a code shows that it works. */
async function showTwoSteps(
  portal: Portal,
  res: Response,
  secret = newTotpSecret(),
  fault?: string,
): Promise<void> {
  const { userId, email, id, mustSetUp } = sessionOf(res)
  const isOn = (await findTotp(portal.pool, userId)) !== null
  const data = {
    isOn,
    mustSetUp,
    fault,
    secret: typedSecret(secret),
    qr: qrOutline(totpAddress(secret, email)),
    offer: sealSecret(keyOf(id, 'offer'), secret, OFFERED).toString('base64url'),
    flash: await readFlash(portal, res),
  }
  const status = fault ? 422 : 200
  portal.show(res, { view: 'two-step', title: 'Two-step sign-in', section: 'two-step', status, data })
}

function turnItOn(portal: Portal): RequestHandler {
  return async (req, res) => {
    const { pool, config, root, log } = portal
    const { userId, id } = sessionOf(res)
    const secret = offered(line(req, 'offer'), keyOf(id, 'offer'))
    if (!secret) return showTwoSteps(portal, res, undefined, 'This form is too old. Scan the new code.')
    const step = stepOf(secret, line(req, 'code'), Date.now())
    if (step === undefined)
      return showTwoSteps(portal, res, secret, 'This is not the code that the app shows now.')
    const fault = await portal.confirm(req, res)
    if (fault) return showTwoSteps(portal, res, secret, fault)
    const { codes, hashes } = newRecoveryCodes()
    const sealed = sealSecret(config.tokenKey, secret, totpContext(userId))
    if (await turnOn(pool, userId, { sealed, step, recovery: hashes })) {
      await record(portal, req, res, { action: 'TWO_STEPS_ON' })
      log.info({ portalUserId: userId }, 'two-step sign-in turned on')
      await keepFlash(portal, res, { notice: wordsOf(res).t('Two-step sign-in is on.'), recovery: codes })
    }
    res.redirect(303, `${root}/settings/two-step`)
  }
}

function turnItOff(portal: Portal): RequestHandler {
  return async (req, res) => {
    const { pool, root, log } = portal
    const fault = await portal.confirm(req, res)
    if (fault) return showTwoSteps(portal, res, undefined, fault)
    const { userId } = sessionOf(res)
    await turnOff(pool, userId)
    await record(portal, req, res, { action: 'TWO_STEPS_OFF' })
    log.info({ portalUserId: userId }, 'two-step sign-in turned off')
    await keepFlash(portal, res, { notice: wordsOf(res).t('Two-step sign-in is off.') })
    res.redirect(303, `${root}/settings/two-step`)
  }
}

function offered(text: string, key: Buffer): Buffer | undefined {
  try {
    return openSecret(key, Buffer.from(text, 'base64url'), OFFERED)
  } catch {
    return undefined
  }
}
