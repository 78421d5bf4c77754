import type { PixCharge, PixTerms } from '../../services/invoices/src/pix/rules/pix-charge'

/** A charge with these terms. */
export function charge(terms: PixTerms): PixCharge {
  return {
    ...terms,
    id: 1,
    sellerId: 1,
    invoiceId: 1,
    publicId: 'p',
    status: 'PENDING',
    account: '7d9f0335-8dcc-4054-9bf9-0dbd61d36906',
    txid: '0123456789abcdef0123456789abcdef',
    payer: { name: 'Ana Souza', document: '52998224725' },
    copyAndPaste: null,
    collection: null,
    refusal: null,
    dispatchDeadline: 0,
    operationId: null,
    withdrawing: false,
    accountGoneAt: null,
    askAt: null,
    version: 1,
    createdAt: 0,
    updatedAt: 0,
  }
}
