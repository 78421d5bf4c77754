import { DomainError } from '@cofre/platform/errors'
import { isDatabaseDown } from '@cofre/platform/postgres/postgres'
import type { CardFaults, Said, Words } from './words'

/** The faulty fields of the card, each with the name of its message. */
export type FieldFaults = Partial<
  Record<'number' | 'expiry' | 'cvv' | 'holder' | 'installments', keyof CardFaults>
>

/** A message that a page shows instead of the requested content, with its HTTP status. */
export class PageFault extends Error {
  override name = 'PageFault'

  constructor(
    readonly status: number,
    readonly say: (words: Words) => Said,
    /** `again`: the address at which to try again. */
    readonly extra: { fields?: FieldFaults; retryAfterSeconds?: number; again?: string } = {},
  ) {
    super(`page fault ${status}`)
  }
}

export function notFoundFault(): PageFault {
  return new PageFault(404, ({ notFound }) => notFound)
}

export function tooManyFault(retryAfterSeconds: number): PageFault {
  const minutes = Math.max(1, Math.ceil(retryAfterSeconds / 60))
  const say = ({ tooMany }: Words) => ({ title: tooMany.title, text: tooMany.text(minutes) })
  return new PageFault(429, say, { retryAfterSeconds })
}

/** The fault of a form that came from elsewhere, has fields other than ours, or could not be read. */
export function formFault(status: 400 | 403 | 413): PageFault {
  return new PageFault(status, ({ openTooLong }) => openTooLong)
}

/** Turns an error into a fault that a person can act on. Any other error is a failure on our side. */
export function toFault(error: unknown): PageFault {
  if (error instanceof PageFault) return error
  if (isDatabaseDown(error)) return unavailableFault(1)
  if (error instanceof DomainError) return ofDomain(error)
  // Express throws URIError for a malformed path. The form parser adds a status: body too large, cut off or not a form.
  if (error instanceof URIError) return notFoundFault()
  const status = statusOf(error)
  if (status !== undefined && status >= 400 && status < 500) return formFault(status === 413 ? 413 : 400)
  return new PageFault(500, ({ failed }) => failed)
}

function ofDomain({ kind, extra }: DomainError): PageFault {
  if (kind === 'not_found') return notFoundFault()
  if (kind === 'rate_limited') return tooManyFault(extra.retryAfterSeconds ?? 60)
  if (kind === 'unavailable') return unavailableFault(extra.retryAfterSeconds ?? 1)
  return new PageFault(500, ({ failed }) => failed)
}

function unavailableFault(retryAfterSeconds: number): PageFault {
  return new PageFault(503, ({ unavailable }) => unavailable, { retryAfterSeconds })
}

function statusOf(error: unknown): number | undefined {
  const status = typeof error === 'object' && error !== null && 'status' in error ? error.status : undefined
  return typeof status === 'number' ? status : undefined
}
