const IN_SAO_PAULO = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Sao_Paulo' })

/** Returns the day of a moment (epoch milliseconds) as YYYY-MM-DD. Days of invoices are days in America/Sao_Paulo. */
export function dayOf(moment: number): string {
  return IN_SAO_PAULO.format(moment)
}
