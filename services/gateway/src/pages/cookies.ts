import type { Request } from 'express'

/** Returns the value of a cookie of this browser. */
export function readCookie(req: Request, name: string): string | undefined {
  const start = `${name}=`
  const pairs = (req.headers.cookie ?? '').split(';').map((pair) => pair.trim())
  return pairs.find((pair) => pair.startsWith(start))?.slice(start.length)
}
