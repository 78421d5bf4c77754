import { type RequestHandler, Router } from 'express'
import { type Identity, providerOf } from './identity'
import { interactionRoutes } from './interaction-routes'

/** All of the identity provider, where browsers reach it. */
export function identityRoutes(identity: Identity): Router {
  return Router()
    .use(interactionRoutes(identity))
    .get('/identity/connect/authorize', eachTimeAnew)
    .use('/identity', callProvider(identity))
}

/** What services call, over https too. */
export function identityCalls(identity: Identity): Router {
  const paths = ['token', 'jwks', 'revocation'].map((name) => `/connect/${name}`)
  const router = Router()
  router.use('/identity', (request, response, next) => {
    if (paths.includes(request.path)) callProvider(identity)(request, response, next)
    else next()
  })
  return router
}

/**
 * Each request asks who it is and for consent: nobody stays signed in, and two people can try it one after the other.
 * Without `prompt=consent` a provider gives no refresh token (OpenID Connect Core, section 11).
 */
const eachTimeAnew: RequestHandler = (request, response, next) => {
  delete request.headers.cookie
  // The provider signs its cookies.
  response.clearCookie('_session').clearCookie('_session.sig')
  const url = new URL(request.url, 'http://localhost')
  if (!url.searchParams.has('prompt')) url.searchParams.set('prompt', 'login consent')
  request.url = request.originalUrl = `${url.pathname}${url.search}`
  next()
}

function callProvider(identity: Identity): RequestHandler {
  return (request, response) => void providerOf(identity).callback()(request, response)
}
