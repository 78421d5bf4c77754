import type { SandboxConfig } from '../config'
import type { Faults } from '../faults'
import { Merchants } from './merchants'
import { NextDeclines } from './next-declines'
import { PaymentBook } from './payment-book'
import type { Hosts } from './sale-answer'

export type AcquirerSettings = Pick<SandboxConfig, 'dataDir' | 'captureWindowDays' | 'voidSpacingMs'>

/** What both hosts of the acquirer, and the controls, work on. */
export type Acquirer = {
  readonly settings: AcquirerSettings
  readonly faults: Faults
  readonly book: PaymentBook
  readonly merchants: Merchants
  readonly nextDeclines: NextDeclines
  /** Known once both hosts listen. */
  hosts: Hosts
}

export function openAcquirer(settings: AcquirerSettings, faults: Faults): Acquirer {
  return {
    settings,
    faults,
    book: new PaymentBook(settings.dataDir),
    merchants: new Merchants(settings.dataDir),
    nextDeclines: new NextDeclines(),
    hosts: { transaction: '', query: '' },
  }
}

export function closeAcquirer({ book, merchants }: Acquirer): void {
  book.close()
  merchants.close()
}
