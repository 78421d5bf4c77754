import type { Merchants } from '../acquirer/merchants'
import type { Faults } from '../faults'
import { CryptogramBook } from './cryptogram-book'
import { LifeCycle } from './life-cycle'
import { TokenBook } from './token-book'

export type TokenServiceSettings = {
  dataDir: string
  tokenService: { delayMs: number; webhookSecret?: string | undefined }
}

/** The state that the token service's host, its controls and the acquirer share. */
export type TokenService = {
  readonly faults: Faults
  /** The token service belongs to the acquirer: a seller has the same credentials at both. */
  readonly merchants: Merchants
  readonly tokens: TokenBook
  readonly cryptograms: CryptogramBook
  readonly lifeCycle: LifeCycle
}

export function openTokenService(
  { dataDir, tokenService }: TokenServiceSettings,
  merchants: Merchants,
  faults: Faults,
): TokenService {
  const tokens = new TokenBook(dataDir)
  return {
    faults,
    merchants,
    tokens,
    cryptograms: new CryptogramBook(dataDir),
    lifeCycle: new LifeCycle(tokens, tokenService),
  }
}

export function closeTokenService({ lifeCycle, tokens, cryptograms }: TokenService): void {
  lifeCycle.close()
  tokens.close()
  cryptograms.close()
}
