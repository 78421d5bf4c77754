import { openSecret, sealSecret } from '@cofre/platform/secret-box'
import type { Response } from 'express'
import type { Portal } from './portal-context'
import { hashOfId, keyOf, sessionOf } from './session'
import { saveFlash, takeFlash } from './session-store'

/** The message that the page after a form shows once. */
export type Flash = {
  notice: string
  accessToken?: string
  link?: string
  recovery?: string[]
  secret?: string
}

const CONTEXT = 'portal-flash'

/** Keeps the message for the next page. Its key comes from the cookie, so the database can't read the message. */
export async function keepFlash({ pool }: Pick<Portal, 'pool'>, res: Response, flash: Flash): Promise<void> {
  const { id } = sessionOf(res)
  await saveFlash(pool, hashOfId(id), sealSecret(keyOf(id, 'flash'), JSON.stringify(flash), CONTEXT))
}

export async function readFlash({ pool }: Pick<Portal, 'pool'>, res: Response): Promise<Flash | undefined> {
  const { id, hasFlash } = sessionOf(res)
  const sealed = hasFlash ? await takeFlash(pool, hashOfId(id)) : undefined
  return sealed && (JSON.parse(openSecret(keyOf(id, 'flash'), sealed, CONTEXT).toString()) as Flash)
}
