/** A page that explains a fault in place of the requested page, with its HTTP status. */
export class PortalFault extends Error {
  override name = 'PortalFault'

  constructor(
    readonly status: number,
    readonly title: string,
    message: string,
    readonly retryAfterSeconds?: number,
  ) {
    super(message)
  }
}

/** The role of the signed-in person does not allow it. */
export function notAllowed(): PortalFault {
  return new PortalFault(
    403,
    'Your role does not allow this',
    'Ask an owner of the account for another role.',
  )
}

export function pageNotFound(): PortalFault {
  return new PortalFault(
    404,
    'Page not found',
    'The address may be mistyped, or the page may no longer exist.',
  )
}
