const reais = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' })

/** Returns cents as R$ 1.234,56. */
export function formatReais(cents: number): string {
  return reais.format(cents / 100)
}

const TIME_ZONE = 'America/Sao_Paulo'
const minutes = new Intl.DateTimeFormat('en-GB', {
  timeZone: TIME_ZONE,
  dateStyle: 'medium',
  timeStyle: 'short',
})
const seconds = new Intl.DateTimeFormat('en-GB', {
  timeZone: TIME_ZONE,
  dateStyle: 'medium',
  timeStyle: 'medium',
})
const day = new Intl.DateTimeFormat('en-GB', { timeZone: TIME_ZONE, dateStyle: 'medium' })

/** Returns epoch milliseconds in the time of São Paulo: 5 Mar 2026, 14:05. */
export function formatTime(at: number): string {
  return minutes.format(at)
}

/** The same to the second: 5 Mar 2026, 14:05:09. */
export function formatExactTime(at: number): string {
  return seconds.format(at)
}

export function formatDay(at: number): string {
  return day.format(at)
}
