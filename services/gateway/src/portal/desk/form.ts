import { randomUUID } from 'node:crypto'
import { DomainError } from '@cofre/platform/errors'
import type { Request, Response } from 'express'
import type { Answer } from '../../http/answer'
import { field } from '../../pages/form'
import type { Portal } from '../portal-context'
import { PortalFault } from '../portal-fault'
import { textOf, wordsOf, type Words } from '../words/language'
import type { Word } from '../words/portuguese'
import { faultWord, refusalIn } from '../words/refusals'
import type { Value } from '../words/value'
import type { Fault, Field, Typed } from './fields'
import type { Done, Facts } from './thing'

/** What a form shows besides its fields. `back`: where it leads when nothing is sent. */
export type Form = {
  label: Word
  danger?: true | undefined
  says: Value
  warning?: Value
  fields: readonly Field[]
  section: string
  back: string
  heading: string
  /** Sums of what is typed. */
  sums?: Facts | undefined
}

/** What became of a form that was sent before. */
export type Sent = { typed?: Typed; fault?: string; status?: number; once?: string }

/** The field that asks for the password again. */
export const CURRENT_PASSWORD: Field = {
  name: 'currentPassword',
  label: 'Your current password',
  kind: 'password',
  required: true,
}

/** Checks the password that was typed again; a wrong one is a fault of the form. */
export async function confirmed(
  portal: Portal,
  req: Request,
  res: Response,
  { faults }: Typed,
): Promise<void> {
  const fault = await portal.confirm(req, res)
  if (fault) faults[CURRENT_PASSWORD.name] = fault
}

/** What is said after a form, in the language of the page. */
export function said(res: Response, done: Done, { body }: Answer): string {
  const { show, t } = wordsOf(res)
  return typeof done === 'string' ? t(done) : show(done(body)).text
}

/** A secret that the API answers once, for the page that shows it once. */
export function secretOf({ body }: Answer): { secret?: string } {
  const { secret } = (body ?? {}) as { secret?: string }
  return secret === undefined ? {} : { secret }
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The key of a shown form. It goes with it as Idempotency-Key: sent again, it is the same request. */
export function onceOf(req: Request): string {
  const once = field(req, 'once')
  if (!UUID.test(once)) throw new PortalFault(400, 'We could not read this form', 'Open the page again.')
  return once
}

/** Shows a form, with what was typed and why it was refused. No script is needed. */
export function showForm(
  portal: Portal,
  res: Response,
  { label, danger, says, warning = null, fields, section, back, heading, sums }: Form,
  { typed, fault, status = 200, once = randomUUID() }: Sent = {},
): void {
  const words = wordsOf(res)
  const { show, t } = words
  const shown = fields.map(({ hint = null, value = '', options = [], ...rest }) => ({
    ...rest,
    hint: show(hint).text,
    options: options.map(([each, text]) => [each, textOf(text, t)]),
    value: typed ? (typed.values[rest.name] ?? '') : value,
    fault: faultText(typed?.faults[rest.name], words),
  }))
  const data = {
    label,
    danger,
    says: show(says).text,
    warning: show(warning).text,
    rows: rowsOf(shown),
    isFile: fields.some(({ kind }) => kind === 'file'),
    sums: sums?.map(([name, value]) => [typeof name === 'string' ? t(name) : name.text, show(value).text]),
    fault,
    once,
    back,
    heading,
  }
  portal.show(res, { view: 'form', title: `${t(label)} · ${heading}`, section, status, data })
}

/** Fields line by line: those of one row stand in one. */
function rowsOf<Shown extends Pick<Field, 'row'>>(fields: readonly Shown[]): Shown[][] {
  const rows: Shown[][] = []
  for (const each of fields) {
    const last = rows.at(-1)
    if (each.row !== undefined && last?.[0]?.row === each.row) last.push(each)
    else rows.push([each])
  }
  return rows
}

/** What is wrong with a field, in the language of the page. */
export function faultText(fault: Fault | undefined, { t, show }: Words): string | undefined {
  return typeof fault === 'object' ? show(fault).text : fault && t(fault)
}

export function shownFaults(faults: Typed['faults'] = {}, words: Words): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(faults).map(([name, fault]) => [name, faultText(fault, words)]))
}

/** Says beside the fields, or above them, why the API refused. Where the outcome is unknown, the key stays. */
export function explained(error: unknown, typed: Typed, once: string, words: Words): Sent {
  if (!(error instanceof DomainError)) throw error
  if (error.kind === 'unavailable') {
    const fault = 'We do not know yet whether this was done. Send the form again: it will be done once.'
    return { typed, fault, status: 503, once }
  }
  const refused = ['invalid_argument', 'failed_precondition', 'conflict', 'already_exists']
  if (!refused.includes(error.kind)) throw error
  const faults = (error.extra.errors ?? []).flatMap(({ pointer, code }) => {
    const name = fieldAt(pointer, typed)
    return name === undefined ? [] : [[name, faultWord(code, typed.fields?.[name], pointer)] as const]
  })
  return {
    typed: { ...typed, faults: Object.fromEntries(faults) },
    ...(faults.length === 0 && { fault: refusalIn(words, error) }),
    status: 422,
  }
}

/**
 * The field of a member of the body: `#/items/0/quantity` is `items.0.quantity`, or else stands in a field `items`. The rows
 * of a form have one name, whichever list of the body they are.
 */
function fieldAt(pointer: string, { values }: Typed): string | undefined {
  const path = pointer.split('/').slice(1)
  const inRow = ['items', ...path.slice(1)].join('.')
  return [path.join('.'), path[0] ?? '', inRow].find((name) => Object.hasOwn(values, name))
}
