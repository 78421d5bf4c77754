/** The acquirers that an establishment may belong to. The database has the same names as the type `acquirer`. */
export const ACQUIRERS = ['cielo'] as const

export type AcquirerName = (typeof ACQUIRERS)[number]
