import type { Request } from 'express'

/** Whether the body comes from a form of the page, which is then led back to it. */
export function isForm(request: Request): boolean {
  return Boolean(request.is('application/x-www-form-urlencoded'))
}
