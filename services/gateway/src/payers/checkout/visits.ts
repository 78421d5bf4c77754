import { createHmac, randomBytes } from 'node:crypto'
import type { Request, Response } from 'express'
import { readCookie } from '../../pages/cookies'
import { field } from '../../pages/form'
import { isFromHere, isSame } from '../../pages/sender'

const ID = /^[\w-]{43}$/

/** Identifies the browser: its forms are bound to it and to their page. Nobody signs in here. */
export type Visits = {
  /** The token of the forms of a page. A browser without a cookie gets one. */
  formToken(req: Request, res: Response, publicId: string): string
  /** True when a form comes from the browser to which its page was shown. */
  isOwnForm(req: Request, publicId: string): boolean
}

/** The cookie ends with the browser session. Browsers send it with links from other sites, but not with their forms. */
export function createVisits(baseUrl: string): Visits {
  const secure = baseUrl.startsWith('https:')
  const name = `${secure ? '__Host-' : ''}checkout`
  const idOf = (req: Request) => {
    const id = readCookie(req, name)
    return id !== undefined && ID.test(id) ? id : undefined
  }
  const tokenOf = (id: string, publicId: string) =>
    createHmac('sha256', id).update(`checkout ${publicId}`).digest('base64url')
  return {
    formToken: (req, res, publicId) => {
      const id = idOf(req) ?? randomBytes(32).toString('base64url')
      if (idOf(req) === undefined) {
        res.cookie(name, id, { httpOnly: true, sameSite: 'lax', secure, path: '/' })
      }
      return tokenOf(id, publicId)
    },
    isOwnForm: (req, publicId) => {
      const id = idOf(req)
      if (id === undefined || !isFromHere(req, baseUrl)) return false
      return isSame(field(req, 'formToken'), tokenOf(id, publicId))
    },
  }
}
