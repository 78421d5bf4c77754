const METHODS = [{ method: 'CREDIT_CARD' }, { method: 'BOLETO' }]

/** The accepted methods of an invoice that names none, as SQL: the service saves them with the invoice. */
export const EVERY_METHOD = `'${JSON.stringify(METHODS)}'::json`
