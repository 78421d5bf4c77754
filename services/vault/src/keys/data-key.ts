/** The kind of data that a data key seals. */
export type Purpose = 'card' | 'handle' | 'fingerprint' | 'jwe'

export const PURPOSES: readonly Purpose[] = ['card', 'handle', 'fingerprint', 'jwe']

/** An unwrapped key. `bytes`: 32 bytes, or the private JWK as JSON where the purpose is `jwe`. */
export type DataKey = { id: string; purpose: Purpose; bytes: Buffer; retired: boolean }

/** A key as stored: wrapped by the key-encryption key that `kekId` names. */
export type WrappedKey = { id: string; purpose: Purpose; wrapped: Buffer; kekId: string; retired: boolean }

/** Binds a wrapped key to its row and purpose: it opens in no other row and for no other purpose. */
export function wrappingContext({ id, purpose }: { id: string; purpose: Purpose }): string {
  return `data-key:${purpose}:${id}`
}
