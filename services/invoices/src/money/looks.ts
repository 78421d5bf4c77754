import type { AskMethod } from '../methods/methods'
import type { Look } from './look-at-asks'
import { BOLETO_LOOK } from './look-at-boletos'
import { PIX_LOOK } from './look-at-pix'

/** How the asks of each method are looked at. */
export const LOOKS: Record<AskMethod, Look> = { BOLETO: BOLETO_LOOK, PIX: PIX_LOOK }
