import { z } from 'zod'
import { epochMs } from '../schema'

/** The current time of the invoices service, where its clock may be moved. */
export const clockSchema = z
  .object({ now: epochMs() })
  .meta({ id: 'BillingClock', examples: [{ now: 1_803_783_600_412 }] })

/** The clock after it was moved, and counts of the work done on the way. */
export const advancedSchema = z
  .object({
    now: epochMs(),
    invoicesBilled: z.int().meta({ description: 'Invoices that cycles made.' }),
    chargesTried: z.int().meta({ description: 'Attempts to charge a card.' }),
    emailsSent: z.int(),
  })
  .meta({
    id: 'BillingClockAdvanced',
    examples: [{ now: 1_803_783_600_412, invoicesBilled: 2, chargesTried: 1, emailsSent: 3 }],
  })
