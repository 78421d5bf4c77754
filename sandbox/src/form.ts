import type { Request } from 'express'

/** True when the body comes from a form of the page; the answer then redirects back to the page. */
export function isForm(request: Request): boolean {
  return Boolean(request.is('application/x-www-form-urlencoded'))
}
