import type { RequestHandler, Response } from 'express'
import { line, parameter } from '../../pages/form'
import { keepFlash } from '../flash'
import { record } from '../people/audit-store'
import type { Portal } from '../portal-context'
import { notAllowed } from '../portal-fault'
import { wordsOf } from '../words/language'
import { allows, askOf, sendApi } from './api'
import { readFields, readShown, type Field } from './fields'
import { confirmed, CURRENT_PASSWORD, explained, onceOf, said, secretOf, showForm, type Form } from './form'
import { readThing, type ById } from './page'
import { showSums, withSums } from './sums'
import { paramsOf, type Action, type Given, type Thing } from './thing'

/** The page that says what an action will do, and asks. */
export function askFor(portal: Portal, thing: Thing, action: Action<unknown>): RequestHandler<ById> {
  return async (req, res) => {
    if (!allows(res, action.operation)) throw notAllowed()
    const full = await readThing(portal, res, thing, req.params.id)
    if (!action.applies(full)) return res.redirect(303, pathOf(portal, thing, req.params.id))
    const form = await formOf(portal, res, {
      thing,
      action,
      full,
      id: req.params.id,
      given: (name) => parameter(req, name),
    })
    const shown = [form, readShown(form.fields)] as const
    showForm(portal, res, await withSums(portal, res, { sums: action.sums, full }, shown))
  }
}

/** Does it. */
export function doIt(portal: Portal, thing: Thing, action: Action<unknown>): RequestHandler<ById> {
  return async (req, res) => {
    const { id } = req.params
    if (!allows(res, action.operation)) throw notAllowed()
    const full = await readThing(portal, res, thing, id)
    const asked = await formOf(portal, res, { thing, action, full, id, given: (name) => line(req, name) })
    const typed = readFields(req, asked.fields)
    const form = await withSums(portal, res, { sums: action.sums, full }, [asked, typed])
    if (showSums(portal, req, res, form, typed)) return
    const made = (await action.body?.(typed.body, full, askOf(portal, res))) ?? { body: typed.body }
    if ('faults' in made) Object.assign(typed.faults, made.faults)
    if (action.confirms) await confirmed(portal, req, res, typed)
    if ('faults' in made || Object.keys(typed.faults).length > 0)
      return showForm(portal, res, form, { typed, status: 422 })
    const once = onceOf(req)
    const { body } = made
    const params = paramsOf(thing, id)
    const done = await sendApi(portal, req, res, action.operation, { params, body, key: once }).catch(
      (error: unknown) => showForm(portal, res, form, explained(error, typed, once, wordsOf(res))),
    )
    if (!done) return
    const { file: _file, ...sent } = typed.body
    const changed = changedFrom(action, thing, full, sent)
    const detail = { ...sent, ...changed, ...namesOf(asked.fields, sent, changed) }
    await record(portal, req, res, { action: action.operation, subject: `${thing.name}/${id}`, detail })
    portal.log.info({ operation: action.operation, thing: thing.name, id }, 'done in the portal')
    await keepFlash(portal, res, { notice: said(res, action.done, done), ...secretOf(done) })
    res.redirect(303, action.removes ? `${portal.root}/${thing.name}` : form.back)
  }
}

type Asked = { thing: Thing; action: Action<unknown>; full: unknown; id: string; given: Given }

async function formOf(
  portal: Portal,
  res: Response,
  { thing, action, full, id, given }: Asked,
): Promise<Form> {
  return {
    label: action.label,
    danger: action.danger,
    says: await action.says(full, askOf(portal, res)),
    warning: action.warns?.(full) ?? null,
    fields: [
      ...((await action.fields?.(full, askOf(portal, res), given)) ?? []),
      ...(action.confirms ? [CURRENT_PASSWORD] : []),
    ],
    section: thing.name,
    back: pathOf(portal, thing, id),
    heading: wordsOf(res).show(thing.heading(full)).text,
  }
}

/** What an edit found where something else was typed. Of customers nothing: a deletion erases their data. */
function changedFrom(
  { operation }: Action<unknown>,
  { name: list }: Thing,
  full: unknown,
  sent: Record<string, unknown>,
): { before?: Record<string, unknown> } {
  if (!/^(replace|update)/.test(operation) || list === 'customers') return {}
  const found = full as Record<string, unknown>
  const changed = Object.keys(sent).filter(
    (name) => isPlain(found[name]) && String(found[name]) !== String(sent[name]),
  )
  return { before: Object.fromEntries(changed.map((name) => [name, found[name]])) }
}

/** Fields that choose by an id what has a name of the seller's own, or a card. */
const CHOSEN = /^(cardId|endpointId|items\.\d+\.productId)$/

/** What ids meant when they were chosen: the audit shows it also when the thing is gone. */
function namesOf(
  fields: readonly Field[],
  sent: Record<string, unknown>,
  { before = {} }: { before?: Record<string, unknown> },
): { named?: object } {
  const named = fields
    .filter(({ name }) => CHOSEN.test(name))
    .map(({ name, options = [] }) => {
      const ids = [sent[name], before[name]].map(String)
      const texts = options.flatMap(([id, text]) =>
        typeof text === 'object' && ids.includes(id) ? [[id, text.own] as const] : [],
      )
      return [name, Object.fromEntries(texts)] as const
    })
    .filter(([, texts]) => Object.keys(texts).length > 0)
  return named.length > 0 ? { named: Object.fromEntries(named) } : {}
}

function isPlain(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value)
}

function pathOf({ root }: Portal, { name }: Thing, id: string): string {
  return `${root}/${name}/${id}`
}
