import { type RequestHandler, Router } from 'express'
import { type Identity, providerOf } from './identity'
import { interactionRoutes } from './interaction-routes'
import { DOCUMENT_PATH } from './provider'

/** Returns all routes of the identity provider, at the address that browsers reach. */
export function identityRoutes(identity: Identity): Router {
  return Router()
    .use(interactionRoutes(identity))
    .get(`/identity${identity.settings.identity.paths.authorization}`, eachTimeAnew)
    .use('/identity', callProvider(identity))
}

/** Returns the routes that services call, which are also served over https. */
export function identityCalls(identity: Identity): Router {
  const { token, jwks, revocation } = identity.settings.identity.paths
  const paths = [DOCUMENT_PATH, token, jwks, revocation]
  const router = Router()
  router.use('/identity', (request, response, next) => {
    if (paths.includes(request.path)) callProvider(identity)(request, response, next)
    else next()
  })
  return router
}

/**
 * Makes each request ask for sign-in and consent. Nobody stays signed in, so two people can try it in turn.
 * Without `prompt=consent` a provider gives no refresh token (OpenID Connect Core, section 11).
 */
const eachTimeAnew: RequestHandler = (request, response, next) => {
  delete request.headers.cookie
  // The provider signs its cookies, hence the second one.
  response.clearCookie('_session').clearCookie('_session.sig')
  const url = new URL(request.url, 'http://localhost')
  if (!url.searchParams.has('prompt')) url.searchParams.set('prompt', 'login consent')
  request.url = request.originalUrl = `${url.pathname}${url.search}`
  next()
}

function callProvider(identity: Identity): RequestHandler {
  return (request, response) => void providerOf(identity).callback()(request, response)
}
