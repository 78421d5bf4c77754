export const INVOICES = '/api/v2/invoices'

/** Where the charge of an invoice is read. */
export function chargeUrl(baseUrl: string, invoiceId: number): string {
  return `${baseUrl}${INVOICES}/${invoiceId}/charges/latest`
}
