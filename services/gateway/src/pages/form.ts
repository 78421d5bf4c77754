import type { Request } from 'express'
import { queryOf } from '../http/read-request'

/** The faults of a form by field; a page shows each beside its field. */
export type Faults<Field extends string> = { [Name in Field]?: string }

/** Returns a field of a sent form, exactly as typed; empty when it is absent. */
export function field(req: Request, name: string): string {
  return values(req, name)[0] ?? ''
}

/** Returns a field of one line without control characters: no text here has them, and PostgreSQL can't keep all. */
export function line(req: Request, name: string): string {
  return tidy(field(req, name))
}

/** Returns every value of the checkboxes with one name. */
export function choices(req: Request, name: string): string[] {
  return values(req, name).map(tidy)
}

/** Returns the first parameter of this name in the address, as one line. */
export function parameter(req: Request, name: string): string {
  return tidy(queryOf(req).get(name) ?? '')
}

function values({ body }: Request, name: string): string[] {
  const fields = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined
  return [value].flat().filter((one) => typeof one === 'string')
}

function tidy(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text.replace(/[\u0000-\u001f\u007f]+/g, ' ').trim()
}
