import type { FailReason } from './token'

export type RefusedCode = FailReason | 'INVALID_REQUEST' | 'UNAUTHORIZED' | 'NOT_FOUND' | 'TOKEN_NOT_ACTIVE'

/** The token service refuses a call: nothing was done. The message quotes nothing that was sent. */
export class Refused extends Error {
  constructor(
    readonly status: 400 | 401 | 404 | 422,
    readonly code: RefusedCode,
    message: string,
  ) {
    super(message)
  }

  get body() {
    return { code: this.code, message: this.message }
  }
}
