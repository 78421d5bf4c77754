import type { RequestHandler } from 'express'
import { readUpload } from '../../http/body/upload'
import { untilClosed } from '../../http/in-flight'
import type { Portal } from '../portal-context'
import { notAllowed } from '../portal-fault'
import { sessionOf } from '../session'
import { allows, routeOf } from './api'

/**
 * Reads a form with a file up to the file, which is its last field: its other fields then stand where those of any form
 * do. The file goes on as it comes. `file`: of a form whose file the operation of the API does not take.
 */
export function readFileForm(
  { inFlight }: Pick<Portal, 'inFlight'>,
  operation: string,
  file = routeOf(operation).body?.file,
): RequestHandler {
  if (!file) throw new Error(`${operation} takes no file`)
  return async (req, res, next) => {
    if (!allows(res, operation)) throw notAllowed()
    if (req.method === 'POST') {
      // As for the API: a seller's slow files leave places to the others.
      untilClosed(res, inFlight.admit({ kind: 'files', key: String(sessionOf(res).sellerId) }))
      req.body = await readUpload(req, res, file)
    }
    next()
  }
}
