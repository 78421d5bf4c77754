import { addressKey } from '@cofre/platform/outbound/address-key'
import type { Request, Response } from 'express'
import { field } from '../../pages/form'
import { isPassword } from '../../sellers/password'
import { findPortalUser } from '../../sellers/portal-user-store'
import { countAttempts, passwordFault } from '../attempts'
import type { Portal } from '../portal-context'
import { sessionOf } from '../session'
import type { Word } from '../words/portuguese'

/** Asks for the password again before what a stolen session must not do. Returns what is wrong with the sent one. */
export type Confirm = (req: Request, res: Response) => Promise<Word | undefined>

/** Wrong passwords count as at the sign-in. */
export function confirmPassword({ pool }: Pick<Portal, 'pool'>): Confirm {
  const attempts = countAttempts()
  return async (req, res) => {
    const password = field(req, 'currentPassword')
    if (password === '') return 'Type your current password.'
    const { email } = sessionOf(res)
    const wait = attempts.begin(email, addressKey(req.ip))
    if (wait) throw wait
    const user = await findPortalUser(pool, email)
    const isRight = await isPassword(password, user?.passwordHash ?? '').catch((error: unknown) => {
      attempts.takeBack(email, addressKey(req.ip))
      throw passwordFault(error)
    })
    if (!isRight) return 'This is not your current password.'
    attempts.succeed(email, addressKey(req.ip))
    return undefined
  }
}
