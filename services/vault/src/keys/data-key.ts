/** What a data key seals. */
export type Purpose = 'card' | 'handle' | 'fingerprint' | 'jwe'

export const PURPOSES: readonly Purpose[] = ['card', 'handle', 'fingerprint', 'jwe']

/** A key in the open. `bytes`: 32 bytes, or the private JWK as JSON where the purpose is `jwe`. */
export type DataKey = { id: string; purpose: Purpose; bytes: Buffer; retired: boolean }

/** A key as it rests: wrapped by the key-encryption key that `kekId` names. */
export type WrappedKey = { id: string; purpose: Purpose; wrapped: Buffer; kekId: string; retired: boolean }

/** What a wrapped key is bound to: it can't be put in another's row or used for another purpose. */
export function wrappingContext({ id, purpose }: { id: string; purpose: Purpose }): string {
  return `data-key:${purpose}:${id}`
}
