import type { Request, RequestHandler, Response } from 'express'
import { line, parameter } from '../../pages/form'
import { keepFlash } from '../flash'
import { record } from '../people/audit-store'
import type { Portal } from '../portal-context'
import { notAllowed } from '../portal-fault'
import { wordsOf } from '../words/language'
import { allows, askOf, sendApi } from './api'
import { readFields, readShown } from './fields'
import { confirmed, CURRENT_PASSWORD, explained, onceOf, said, secretOf, showForm, type Form } from './form'
import { showSums, withSums } from './sums'
import type { Creation, Given, Thing } from './thing'

/** The form of a new thing. Its address may fill it in: `?document=52998224725`. */
export function askForNew(portal: Portal, thing: Thing, creation: Creation): RequestHandler {
  return async (req, res) => {
    const given: Given = (name) => parameter(req, name).slice(0, 255)
    const form = await formOf(portal, res, thing, creation, given)
    const fields = form.fields.map((field) => {
      const value = given(field.name)
      return value ? { ...field, value } : field
    })
    const shown = [{ ...form, fields }, readShown(fields)] as const
    showForm(portal, res, await withSums(portal, res, creation, shown))
  }
}

/** Makes it, and leads to its page. */
export function makeNew(portal: Portal, thing: Thing, creation: Creation): RequestHandler {
  return async (req: Request, res) => {
    const asked = await formOf(portal, res, thing, creation, (name) => line(req, name))
    const typed = readFields(req, asked.fields)
    const form = await withSums(portal, res, creation, [asked, typed])
    if (showSums(portal, req, res, form, typed)) return
    const made = creation.body ? await creation.body(typed.body, askOf(portal, res)) : { body: typed.body }
    if ('faults' in made) Object.assign(typed.faults, made.faults)
    if (creation.confirms) await confirmed(portal, req, res, typed)
    if ('faults' in made || Object.keys(typed.faults).length > 0) {
      return showForm(portal, res, form, { typed, status: 422 })
    }
    const once = onceOf(req)
    const { body } = made
    try {
      const answer = await sendApi(portal, req, res, creation.operation, { params: {}, body, key: once })
      const { id } = answer.body as { id: number }
      await record(portal, req, res, { action: creation.operation, subject: `${thing.name}/${id}` })
      portal.log.info({ operation: creation.operation, thing: thing.name, id }, 'made in the portal')
      await keepFlash(portal, res, { notice: said(res, creation.done, answer), ...secretOf(answer) })
      res.redirect(303, `${portal.root}/${thing.name}/${id}`)
    } catch (error) {
      showForm(portal, res, form, explained(error, typed, once, wordsOf(res)))
    }
  }
}

async function formOf(
  portal: Portal,
  res: Response,
  thing: Thing,
  creation: Creation,
  given: Given,
): Promise<Form> {
  if (!allows(res, creation.operation)) throw notAllowed()
  return {
    label: creation.label,
    says: null,
    fields: [
      ...(await creation.fields(askOf(portal, res), given)),
      ...(creation.confirms ? [CURRENT_PASSWORD] : []),
    ],
    section: thing.name,
    back: `${portal.root}/${thing.name}`,
    heading: wordsOf(res).t(thing.many),
  }
}
