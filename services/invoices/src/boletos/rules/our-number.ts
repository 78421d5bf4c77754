/** The bank whose layout this is: Banco do Brasil, agreements above 1,000,000 (manual, annex IX). */
export const BANK = { code: '001', digit: '9', name: 'Banco do Brasil' }
/** Registered collection. */
export const WALLET = '17'

const AGREEMENT = /^[1-9]\d{6}$/
/** The highest number that a slip can have within its agreement. */
export const SEQUENCE_MAX = 9_999_999_999

/** Whether an account's name can be an agreement (convênio): seven digits. */
export function isAgreement(account: string): boolean {
  return AGREEMENT.test(account)
}

/** The number by which the bank knows a slip, 17 digits: the agreement and a number that never repeats in it. */
export function ourNumberOf(agreement: string, sequence: number): string {
  if (!isAgreement(agreement)) throw new Error('an agreement has seven digits')
  if (!Number.isSafeInteger(sequence) || sequence < 1 || sequence > SEQUENCE_MAX) {
    throw new Error('a sequence has ten digits')
  }
  return `${agreement}${String(sequence).padStart(10, '0')}`
}

const DOCUMENT_NUMBER_MAX = 15

/** The document number at the bank, which has 15 characters for it. Two invoices never have the same one. */
export function bankDocumentNumberOf({
  documentNumber,
  invoiceId,
}: {
  documentNumber: string
  invoiceId: number
}): string {
  return documentNumber.length <= DOCUMENT_NUMBER_MAX ? documentNumber : `ID-${invoiceId}`
}

/** The 25 digits that the bank may choose (campo livre). */
export function freeFieldOf(ourNumber: string): string {
  return `000000${ourNumber}${WALLET}`
}
