/** A page that tells what went wrong, with its HTTP status, in place of the one asked for. */
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
