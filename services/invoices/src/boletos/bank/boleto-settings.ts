import { fileSetting, integerSetting } from '@cofre/platform/service/settings'
import { z } from 'zod'

/** The settings of boletos. */
export const boletoSettings = {
  /** How long a call to the bank may take. */
  BANK_TIMEOUT_MS: integerSetting(8_000, 100, 60_000),
  /**
   * A file with the secret that signs the bank's notices. Without it, Cofre takes no notices and only asks the bank.
   */
  BANK_SECRET_FILE: fileSetting
    .transform((text) => text.trim())
    .pipe(z.string().regex(/^whsec_[A-Za-z0-9+/]+=*$/, 'the file must hold whsec_ and base64'))
    .optional(),
  /** Whether banks accept the printed slips. A sandbox does not, and its slips say so. */
  BOLETOS_PAYABLE: z
    .enum(['true', 'false'])
    .default('true')
    .transform((text) => text === 'true'),
}
