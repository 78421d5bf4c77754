import type { Request } from 'express'
import { queryOf } from '../http/read-request'

/** What is wrong with a form, by field: stands next to it. */
export type Faults<Field extends string> = { [Name in Field]?: string }

/** A field of a sent form, exactly as typed; empty when it is absent. */
export function field(req: Request, name: string): string {
  return values(req, name)[0] ?? ''
}

/** A field of one line: without control characters, which no text here has and PostgreSQL can't all keep. */
export function line(req: Request, name: string): string {
  return tidy(field(req, name))
}

/** Every value of checkboxes with one name. */
export function choices(req: Request, name: string): string[] {
  return values(req, name).map(tidy)
}

/** A parameter of the address, as one line: the first of that name. */
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
