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

export function pageNotFound(): PortalFault {
  return new PortalFault(
    404,
    'Page not found',
    'The address may be mistyped, or the page may no longer exist.',
  )
}
