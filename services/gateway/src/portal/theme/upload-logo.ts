import { DomainError } from '@cofre/platform/errors'
import type { Request } from 'express'
import type { UploadedFile } from '../../http/body/upload'
import { keepLogo } from '../../payers/logos/logo-store'
import { endingOf, PICTURE_BYTES_MAX, pictureIn } from '../../payers/logos/picture'
import { logosOf } from '../../payers/logos/show-logo'
import type { Portal } from '../portal-context'
import type { Word } from '../words/portuguese'

/** The file of the form. */
export const LOGO_FILE = { named: 'file', maxBytes: PICTURE_BYTES_MAX }

/** Keeps the picture of the form, and returns its address, or what is wrong with it. */
export async function takeLogo(
  { pool, baseUrl }: Portal,
  req: Request,
  sellerId: number,
): Promise<{ logoUrl: string } | { fault: Word }> {
  const { file } = req.body as { file?: UploadedFile | string }
  const bytes = typeof file === 'object' ? await bytesOf(file) : Buffer.alloc(0)
  if (!bytes) return { fault: 'The picture must have at most 200 KB.' }
  if (bytes.length === 0) return { fault: 'Choose a picture.' }
  const picture = pictureIn(bytes)
  if (!picture) return { fault: 'The picture must be a PNG, a JPEG or a WebP.' }
  const hash = await keepLogo(pool, sellerId, picture)
  return { logoUrl: `${logosOf(baseUrl)}${hash}.${endingOf(picture.type)}` }
}

/** Undefined: the file is too large. */
async function bytesOf({ chunks }: UploadedFile): Promise<Buffer | undefined> {
  const pieces: Buffer[] = []
  try {
    for await (const piece of chunks) pieces.push(piece)
  } catch (error) {
    if (error instanceof DomainError && error.reason === 'BODY_TOO_LARGE') return undefined
    throw error
  }
  return Buffer.concat(pieces)
}
