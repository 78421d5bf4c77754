import express, { type ErrorRequestHandler, type Request, type Response, Router } from 'express'
import { errors } from 'oidc-provider'
import { z } from 'zod'
import { bodyErrorStatus, methodNotAllowed, reportBug } from '../problem'
import { type Identity, providerOf } from './identity'
import { keptLanguage, type Language, languageOf } from './language'
import { sendPage } from './pages'
import { findCard, findPerson, type Person, personSigningIn, type TicketCard } from './people'
import { WORDS } from './words'

const text = z.string().max(200).catch('')
const credentials = z.object({ email: text, password: text }).catch({ email: '', password: '' })
const choice = z.object({ card: text }).catch({ card: '' })

type Interaction = Awaited<ReturnType<ReturnType<typeof providerOf>['interactionDetails']>>

/** The pages on which a person signs in, picks a card and authorizes. They work without scripts. */
export function interactionRoutes(identity: Identity): Router {
  const router = Router()
  const form = express.urlencoded({ limit: '10kb' })
  const page = '/identity/interaction/:uid'

  router
    .route(page)
    .get(async (request, response) =>
      show(identity, await details(identity, request, response), request, response),
    )
    .all(methodNotAllowed('GET'))
  router
    .route(`${page}/sign-in`)
    .post(form, async (request, response) => signIn(identity, request, response))
    .all(methodNotAllowed('POST'))
  router
    .route(`${page}/authorize`)
    .post(form, async (request, response) => authorize(identity, request, response))
    .all(methodNotAllowed('POST'))
  router
    .route(`${page}/refuse`)
    .post(async (request, response) => {
      const refused = { error: 'access_denied', error_description: 'the person refused' }
      await providerOf(identity).interactionFinished(request, response, refused)
    })
    .all(methodNotAllowed('POST'))

  return router.use(page, showFailed)
}

function details(identity: Identity, request: Request, response: Response): Promise<Interaction> {
  return providerOf(identity).interactionDetails(request, response)
}

function show(identity: Identity, interaction: Interaction, request: Request, response: Response): void {
  const person = personOf(interaction)
  if (!person) return showSignIn(identity, interaction, request, response)
  const { card: cardId } = choice.parse(request.query)
  const card = person.cards.length === 1 ? person.cards[0] : findCard(person, cardId)
  const facts = { ...factsOf(identity, interaction), person, cards: person.cards, card }
  sendPage(response, card ? 'consent' : 'choose-card', languageFor(interaction, request), facts)
}

function showSignIn(
  identity: Identity,
  interaction: Interaction,
  request: Request,
  response: Response,
  failedEmail?: string,
): void {
  const facts = {
    ...factsOf(identity, interaction),
    email: failedEmail ?? '',
    failed: failedEmail !== undefined,
  }
  const status = failedEmail === undefined ? 200 : 422
  sendPage(response, 'sign-in', languageFor(interaction, request), facts, status)
}

async function signIn(identity: Identity, request: Request, response: Response): Promise<void> {
  const interaction = await details(identity, request, response)
  const { email, password } = credentials.parse(request.body)
  const person = personSigningIn(email, password)
  if (!person) return showSignIn(identity, interaction, request, response, email)
  const [acr] = text.parse(interaction.params['acr_values']).split(' ')
  const login = { accountId: person.email, remember: false, amr: ['pwd'], ...(acr && { acr }) }
  await providerOf(identity).interactionFinished(request, response, { login })
}

/** Stores the card with the grant: its access tokens charge this card and no other. */
async function authorize(identity: Identity, request: Request, response: Response): Promise<void> {
  const interaction = await details(identity, request, response)
  const person = personOf(interaction)
  const card = person && findCard(person, choice.parse(request.body).card)
  if (!person || !card) return show(identity, interaction, request, response)
  const grantId = await grant(identity, interaction, person, card)
  const provider = providerOf(identity)
  await provider.interactionFinished(
    request,
    response,
    { consent: { grantId } },
    { mergeWithLastSubmission: true },
  )
}

async function grant(
  identity: Identity,
  { params }: Interaction,
  { email }: Person,
  { cardId }: TicketCard,
): Promise<string> {
  const clientId = text.parse(params['client_id'])
  const granted = new (providerOf(identity).Grant)({ accountId: email, clientId })
  granted.addOIDCScope(text.parse(params['scope']))
  const grantId = await granted.save()
  identity.grants.save({ grantId, clientId, email, cardId, revoked: false })
  return grantId
}

function personOf({ prompt, session }: Interaction): Person | undefined {
  return prompt.name === 'login' ? undefined : findPerson(session?.accountId ?? '')
}

function factsOf({ settings }: Identity, { uid, params }: Interaction) {
  const client = settings.identity.clients.find(({ clientId }) => clientId === params['client_id'])
  return { path: `/identity/interaction/${uid}`, client: client?.name ?? client?.clientId }
}

function languageFor({ params }: Interaction, request: Request): Language {
  return languageOf(params['ui_locales'], request.get('accept-language'))
}

const showFailed: ErrorRequestHandler = (error: unknown, request, response, _next) => {
  const language = languageOf(keptLanguage(request.get('cookie')), request.get('accept-language'))
  const expired = error instanceof errors.SessionNotFound
  const status = expired ? 400 : bodyErrorStatus(error)
  if (!status) reportBug(error)
  const reason = WORDS[language][expired ? 'expired' : status ? 'badRequest' : 'broken']
  sendPage(
    response,
    'failure',
    language,
    { reason, code: status ? 'invalid_request' : 'server_error' },
    status ?? 500,
  )
}
