import type { Request, Response } from 'express'
import { field } from '../../pages/form'
import type { Portal } from '../portal-context'
import { sessionOf } from '../session'
import { askOf } from './api'
import type { Typed } from './fields'
import { showForm, type Form } from './form'
import type { Sums } from './thing'

/** What sums up a form. `full`: what it changes. */
type Summing<Full> = { sums?: Sums<Full> | undefined; full?: Full }

/** The form with the sums of what is typed. */
export async function withSums<Full>(
  portal: Portal,
  res: Response,
  { sums, full }: Summing<Full>,
  [form, { body }]: readonly [Form, Typed],
): Promise<Form> {
  if (!sums) return form
  const desk = { ask: askOf(portal, res), sellerId: sessionOf(res).sellerId, services: portal.services }
  return { ...form, sums: await sums(body, desk, full) }
}

/** Shows the sums of what is typed, where a form asks for them and for nothing else. What is empty is no fault yet. */
export function showSums(portal: Portal, req: Request, res: Response, form: Form, typed: Typed): boolean {
  if (!form.sums || field(req, 'deed') !== 'compute') return false
  const faults = Object.fromEntries(
    Object.entries(typed.faults).filter(([name]) => typed.values[name] !== ''),
  )
  showForm(portal, res, form, { typed: { ...typed, faults } })
  return true
}
