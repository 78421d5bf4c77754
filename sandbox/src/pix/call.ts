import type { Answer } from '../partner-call'
import type { PixBank } from './pix-bank'

/** A seller's call, of an account that is proved. `now`: the bank's time, epoch milliseconds. */
export type PixCall = {
  client: string
  params: Record<string, string | undefined>
  query: unknown
  body: unknown
  now: number
}

/** A row of the bank's API. The scope's end says whether it changes anything. */
export type PixRoute = readonly [
  method: 'get' | 'put' | 'post' | 'patch' | 'delete',
  path: string,
  scope: `${string}.read` | `${string}.write`,
  made: (bank: PixBank, call: PixCall) => Answer,
]
