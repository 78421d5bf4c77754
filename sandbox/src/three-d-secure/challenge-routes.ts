import { join } from 'node:path'
import { Eta } from 'eta'
import express, { type Request, type Response, Router } from 'express'
import { z } from 'zod'
import { languageOf } from '../identity/language'
import { ControlError, methodNotAllowed } from '../problem'
import { answered, asOf, type Authentication, type PayersAnswer } from './authentication'
import { CHALLENGE_WORDS } from './challenge-words'
import type { ThreeDSecure } from './three-d-secure'

const eta = new Eta({ views: join(__dirname, '..', '..', 'views', 'acs'), cache: true })

/** The page loads nothing and runs no script. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; base-uri 'none'"

const PAGE = '/acs/challenges/:challengeId'

/** An empty code counts as a wrong one. */
const answerForm = z
  .object({
    decision: z.enum(['APPROVE', 'DECLINE', 'GIVE_UP']).optional().catch(undefined),
    code: z.string().max(20).catch(''),
  })
  .catch({ code: '' })

const reais = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' })

/** Routes of the page on which a card's issuer challenges the cardholder. It works without scripts. */
export function challengeRoutes(server: ThreeDSecure): Router {
  const router = Router()
  router
    .route(PAGE)
    .get((request, response) => show(find(server, request), request, response))
    .post(express.urlencoded({ limit: '10kb' }), (request, response) =>
      answer(server, find(server, request), request, response),
    )
    .all(methodNotAllowed('GET', 'POST'))
  return router
}

function find({ book }: ThreeDSecure, { params }: Request): Authentication {
  const found = book.ofChallenge(String(params['challengeId']))
  if (!found) throw new ControlError(404, 'There is no such challenge')
  return asOf(found, Date.now())
}

/** Takes the payer's answer. The browser then returns to the shop's URL, which carries no result. */
function answer(server: ThreeDSecure, found: Authentication, request: Request, response: Response): void {
  if (found.status !== 'CHALLENGE') return show(found, request, response)
  const { decision, code } = answerForm.parse(request.body)
  const payers: PayersAnswer = decision ?? { code: code.trim() }
  const authentication = answered(found, payers)
  server.book.save(authentication)
  if (authentication.status === 'CHALLENGE') return show(authentication, request, response)
  response.redirect(303, authentication.returnUrl)
}

function show(authentication: Authentication, request: Request, response: Response): void {
  const language = languageOf(undefined, request.get('accept-language'))
  const { status, wrongCodes, merchantName, amount, brand, cardLastFour, returnUrl } = authentication
  const isOpen = status === 'CHALLENGE'
  const facts = {
    language,
    words: CHALLENGE_WORDS[language],
    wrong: wrongCodes > 0,
    merchantName,
    amount: reais.format(amount / 100),
    brand,
    cardLastFour,
    returnUrl,
  }
  response
    .status(isOpen ? (wrongCodes > 0 ? 422 : 200) : 410)
    .set({ 'Content-Security-Policy': POLICY, 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' })
    .type('html')
    .send(eta.render(isOpen ? './challenge' : './over', facts))
}
