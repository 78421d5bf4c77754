import type { SandboxConfig } from '../config'
import type { Faults } from '../faults'
import { CredentialBook } from './credential-book'
import { Merchants } from './merchants'
import { NextDeclines } from './next-declines'
import { PaymentBook } from './payment-book'
import type { Hosts } from './sale-answer'
import { closeTokenService, openTokenService, type TokenService } from '../token-service/token-service'

export type AcquirerSettings = Pick<
  SandboxConfig,
  'dataDir' | 'captureWindowDays' | 'voidSpacingMs' | 'tokenService'
>

/** The state that both hosts of the acquirer and its controls share. */
export type Acquirer = {
  readonly settings: AcquirerSettings
  readonly faults: Faults
  readonly book: PaymentBook
  readonly credentials: CredentialBook
  readonly merchants: Merchants
  readonly nextDeclines: NextDeclines
  readonly tokenService: TokenService
  /** Set once both hosts listen. */
  hosts: Hosts
}

export function openAcquirer(settings: AcquirerSettings, faults: Faults): Acquirer {
  const merchants = new Merchants(settings.dataDir)
  return {
    settings,
    faults,
    book: new PaymentBook(settings.dataDir),
    credentials: new CredentialBook(settings.dataDir),
    merchants,
    nextDeclines: new NextDeclines(),
    tokenService: openTokenService(settings, merchants, faults),
    hosts: { transaction: '', query: '' },
  }
}

export function closeAcquirer({ tokenService, book, credentials, merchants }: Acquirer): void {
  closeTokenService(tokenService)
  book.close()
  credentials.close()
  merchants.close()
}
