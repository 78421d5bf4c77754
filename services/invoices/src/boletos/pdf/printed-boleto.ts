import type { Beneficiary, Boleto } from '../rules/boleto'

/** A slip that the bank has registered. */
export type PrintedBoleto = Boleto & { beneficiary: Beneficiary; barcode: string; digitableLine: string }
