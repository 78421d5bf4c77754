export type RefusalReason =
  'UNAUTHORIZED' | 'INVALID' | 'DUPLICATE' | 'NOT_FOUND' | 'DECLINED' | 'WINDOW_CLOSED' | 'INVALID_TOKEN'

const STATUSES: Record<RefusalReason, number> = {
  UNAUTHORIZED: 401,
  INVALID_TOKEN: 401,
  INVALID: 400,
  DUPLICATE: 409,
  NOT_FOUND: 404,
  DECLINED: 422,
  WINDOW_CLOSED: 422,
}

/** An issuer refuses the call itself: nothing was done. Each issuer has its own words for the reason. */
export class IssuerRefusal extends Error {
  readonly status: number

  constructor(
    readonly reason: RefusalReason,
    /** The field at fault, as the issuer spells it. */
    readonly field?: string,
  ) {
    super(`refused: ${reason}`)
    this.status = STATUSES[reason]
  }
}
