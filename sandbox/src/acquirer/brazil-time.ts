/** Cielo's dates are those of Brasília. The Swedish locale writes them as Cielo does: 2026-06-11 14:30:05. */
const FORMAT = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'America/Sao_Paulo',
  dateStyle: 'short',
  timeStyle: 'medium',
})

export function brazilTime(epochMs: number): string {
  return FORMAT.format(epochMs)
}

export function isSameDay(oneEpochMs: number, otherEpochMs: number): boolean {
  return brazilTime(oneEpochMs).slice(0, 10) === brazilTime(otherEpochMs).slice(0, 10)
}
