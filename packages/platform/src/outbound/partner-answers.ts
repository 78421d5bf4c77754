import type { z } from 'zod'

/** Statuses of a request that was turned away unread: bad credentials, a forbidden address, or too many calls. */
export const NOT_ADMITTED: readonly number[] = [401, 403, 429]

export function isDone(status: number): boolean {
  return status >= 200 && status < 300
}

/** True for a 4xx: nothing was done. Except 408: the partner's own wait timed out, and the outcome is unknown. */
export function isRefused(status: number): boolean {
  return status >= 400 && status < 500 && status !== 408
}

/** The JSON of an answer; undefined when it is not JSON. */
export function jsonOf(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'))
  } catch {
    return undefined
  }
}

/** The JSON of an answer in the form that we know; undefined when it is anything else. */
export function readJson<T>(schema: z.ZodType<T>, body: Uint8Array): T | undefined {
  return schema.safeParse(jsonOf(body)).data
}

/** A code without what partners write around it: "00" and "0" are one code. */
export function withoutZeros(code: string): string {
  return code.trim().replace(/^0+(?=.)/, '')
}
