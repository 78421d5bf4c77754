import type { Beneficiary, Boleto } from '../boleto/boleto'

/** A slip that the bank has registered. */
export type PrintedBoleto = Boleto & { beneficiary: Beneficiary; barcode: string; digitableLine: string }
