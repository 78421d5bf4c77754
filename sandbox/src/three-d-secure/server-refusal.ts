/** The 3-D Secure server refuses a call: nothing was done. It names fields and quotes nothing that was sent. */
export class ServerRefusal extends Error {
  constructor(
    readonly status: 400 | 401 | 404,
    readonly code: 'INVALID_REQUEST' | 'UNAUTHORIZED' | 'NOT_FOUND',
    readonly fields: readonly string[] = [],
  ) {
    super(code)
  }

  get body() {
    return { code: this.code, fields: this.fields }
  }
}
