import { z } from 'zod'
import { Refused } from './refused'
import { passesLuhn } from './token-number'

const REFERENCE_MAX = 64
const YEAR_MIN = 2000
const YEAR_MAX = 2099

/** Some senders write such numbers as text. */
const integer = (min: number, max: number) =>
  z
    .union([
      z.int(),
      z
        .string()
        .regex(/^\d{1,4}$/)
        .transform(Number),
    ])
    .pipe(z.int().min(min).max(max))

const reference = z.string().regex(new RegExp(`^[\\w.-]{1,${REFERENCE_MAX}}$`))

const tokenRequest = z.object({
  reference,
  card: z.object({
    number: z
      .string()
      .regex(/^\d{13,19}$/)
      .refine(passesLuhn),
    holder: z.string().min(1).max(255),
    expirationMonth: integer(1, 12),
    expirationYear: integer(YEAR_MIN, YEAR_MAX),
    securityCode: z
      .string()
      .regex(/^\d{3,4}$/)
      .optional(),
  }),
  callbackUrl: z
    .url({ protocol: /^https?$/ })
    .max(2_048)
    .optional(),
})

const cryptogramRequest = z.object({
  reference,
  amount: z
    .int()
    .min(0)
    .max(10 ** 12),
})

export type TokenRequest = z.output<typeof tokenRequest>
export type CryptogramRequest = z.output<typeof cryptogramRequest>

/** Reads a token request. Throws a refusal that names the wrong fields. */
export function readTokenRequest(body: unknown): TokenRequest {
  return read(tokenRequest, body)
}

export function readCryptogramRequest(body: unknown): CryptogramRequest {
  return read(cryptogramRequest, body)
}

function read<T>(schema: z.ZodType<T>, body: unknown): T {
  const { success, data, error } = schema.safeParse(body)
  if (success) return data
  const fields = new Set(error.issues.map(({ path }) => path.join('.') || 'the body'))
  throw new Refused(400, 'INVALID_REQUEST', `Invalid: ${[...fields].join(', ')}`)
}
