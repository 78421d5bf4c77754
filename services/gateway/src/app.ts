import express, { type Express } from 'express'
import type { Deps } from './deps'

/** Every HTTP route of the service. */
export function createApp(deps: Deps): Express {
  const app = express()
  app.disable('x-powered-by').disable('etag')
  app.set('trust proxy', deps.config.TRUSTED_PROXIES)
  app.get('/healthz', (_req, res) => {
    res.json({ status: 'UP' })
  })
  return app
}
