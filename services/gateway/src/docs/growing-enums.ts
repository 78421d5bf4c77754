/**
 * Enums that get further values within a version of the API, by the names of their schemas. The document lists their
 * values as `x-extensible-enum`, so that a generated client reads a value that it does not know.
 */
export const GROWING_ENUMS: readonly string[] = [
  'CardSource',
  'InvoiceEmailKind',
  'PaymentMethod',
  'ProductMethod',
  'TransactionType',
  'UnexpectedReason',
  'VoucherCardType',
  'VoucherFlow',
]
