import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { readIfThere, writePrivately, type RunFolder } from './run-folder'

/** The files of the keys under which the services seal what they keep. */
export type KeyFiles = {
  keyEncryption: string
  token: string
  establishment: string
  secret: string
  /** What the sandbox's token service signs its pushes with, and the service knows it by. */
  tokenService: string
}

/** Makes the keys that are not there. One that is there is never replaced: what it sealed would be lost. */
export function makeKeys(run: RunFolder): KeyFiles {
  const make = (name: string, text: () => string) => {
    const path = join(run.keys, name)
    if (readIfThere(path) === undefined) writePrivately(path, `${text()}\n`)
    return path
  }
  const key = () => randomBytes(32).toString('base64')
  return {
    keyEncryption: make('key-encryption', () => `local-1:${key()}`),
    token: make('token', key),
    establishment: make('establishment', key),
    secret: make('secret', key),
    tokenService: make('token-service', () => `whsec_${key()}`),
  }
}
