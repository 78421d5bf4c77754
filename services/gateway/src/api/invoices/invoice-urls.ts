export const INVOICES = '/api/v2/invoices'

/** Returns the URL of an invoice's charge. */
export function chargeUrl(baseUrl: string, invoiceId: number): string {
  return `${baseUrl}${INVOICES}/${invoiceId}/charges/latest`
}
