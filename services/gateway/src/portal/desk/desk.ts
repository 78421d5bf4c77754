import { Router, type RequestHandler } from 'express'
import type { Portal } from '../portal-context'
import { notAllowed } from '../portal-fault'
import { askFor, doIt } from './action'
import { maySee } from './api'
import { askForNew, makeNew } from './create'
import { exportList, showList } from './list'
import { sendDocument, showThing } from './page'
import type { Thing } from './thing'
import { forgetView, keepView } from './views'

/** The pages of every thing: its list, its export, the page of one, and a form for each action. */
export function deskPages(portal: Portal, things: readonly Thing[]): Router {
  const router = Router()
  for (const thing of things) {
    router.use(`/${thing.name}`, forWhoMaySee(thing))
    router.get(`/${thing.name}`, showList(portal, thing))
    router.post(`/${thing.name}/views/save`, keepView(portal, thing))
    router.post(`/${thing.name}/views/remove`, forgetView(portal, thing))
    if (thing.csv) router.get(`/${thing.name}.csv`, exportList(portal, thing))
    if (!thing.read) continue
    for (const creation of thing.creations ?? []) {
      router.get(`/${thing.name}/${creation.name}`, askForNew(portal, thing, creation))
      router.post(`/${thing.name}/${creation.name}`, makeNew(portal, thing, creation))
    }
    router.get(`/${thing.name}/:id`, showThing(portal, thing))
    for (const { name, operation, isPage } of thing.documents ?? []) {
      if (!isPage) router.get(`/${thing.name}/:id/${name}`, sendDocument(portal, thing, operation))
    }
    for (const action of thing.actions) {
      router.get(`/${thing.name}/:id/${action.name}`, askFor(portal, thing, action))
      router.post(`/${thing.name}/:id/${action.name}`, doIt(portal, thing, action))
    }
  }
  return router
}

function forWhoMaySee(thing: Thing): RequestHandler {
  return (_req, res, next) => {
    if (!maySee(res, thing)) throw notAllowed()
    next()
  }
}
