const IN_SAO_PAULO = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Sao_Paulo' })

/** The day of a moment (epoch milliseconds) in America/Sao_Paulo, YYYY-MM-DD: days of invoices are days there. */
export function dayOf(moment: number): string {
  return IN_SAO_PAULO.format(moment)
}
