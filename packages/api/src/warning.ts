import { z } from 'zod'

/** Something that Cofre accepted and that a seller may not intend. */
export const warningSchema = z
  .object({ pointer: z.string(), code: z.string(), detail: z.string() })
  .meta({ id: 'Warning' })
