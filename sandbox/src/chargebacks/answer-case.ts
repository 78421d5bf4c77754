import { z } from 'zod'
import type { Answer } from '../partner-call'
import { become, type Chargeback, type ReceivedAnswer } from './chargeback'
import { establishmentOf } from './chargeback-answer'
import { coded, refused } from './chargeback-refusal'
import { current, type Chargebacks } from './chargebacks'
import { readDefence } from './defence'

const id = z.union([z.string(), z.number()]).transform(String)
const acceptance = z.object({
  updateChargeback: z
    .array(z.object({ establishmentNumber: id, idChargeback: id }))
    .min(1)
    .max(200),
  userName: z.string().min(1).max(256),
})

/** Accepts cases: the seller gives up. Each has a code of its own. */
export function acceptAll(chargebacks: Chargebacks, merchantId: string, body: unknown): Answer {
  const read = acceptance.safeParse(body)
  if (!read.success) throw refused('900', 400)
  const { updateChargeback, userName } = read.data
  const results = updateChargeback.map((asked) => {
    const found = find(chargebacks, merchantId, asked)
    const code = found ? note(chargebacks, found, { kind: 'ACCEPT', userName }) : '902'
    return { ...asked, ...coded(code) }
  })
  return { status: 200, body: results }
}

/** Refuses a case: the seller defends itself with a file, which must be named as the case. */
export async function refuse(
  chargebacks: Chargebacks,
  merchantId: string,
  body: Buffer,
  contentType: string,
): Promise<Answer> {
  const { file, userName, ...asked } = await readDefence(body, contentType)
  const found = find(chargebacks, merchantId, asked)
  if (!found) throw refused('902')
  const { idCase, idChargeback } = found
  if (file.name !== undefined && file.name.replace(/\.[a-z]+$/i, '') !== idCase) throw refused('929')
  const document = { name: file.name ?? idCase, at: Date.now() }
  if (found.status === 'PENDING') chargebacks.book.saveFile(idChargeback, file.bytes)
  const code = note(chargebacks, found, { kind: 'REFUSE', userName, document })
  if (code !== '102') throw refused(code)
  return { status: 200, body: coded(code) }
}

function find(
  chargebacks: Chargebacks,
  merchantId: string,
  { establishmentNumber, idChargeback }: { establishmentNumber: string; idChargeback: string },
): Chargeback | undefined {
  const [found] = current(chargebacks, [chargebacks.book.get(idChargeback) ?? []].flat())
  const isOwn =
    found?.merchantId === merchantId && String(establishmentOf(merchantId)) === establishmentNumber
  return isOwn ? found : undefined
}

type Given = Pick<ReceivedAnswer, 'kind' | 'userName'> & { document?: NonNullable<Chargeback['document']> }

/** Takes the first answer of a case, and records every one. Returns its code. */
function note({ book }: Chargebacks, found: Chargeback, { kind, userName, document }: Given): string {
  const at = Date.now()
  const isFirst = found.status === 'PENDING'
  const code = !isFirst ? '931' : kind === 'ACCEPT' ? '101' : '102'
  const moved = isFirst ? become(found, kind === 'ACCEPT' ? 'ACCEPTED' : 'REFUSED', at) : found
  const answers = [...found.answers, { kind, code, userName, at }]
  book.save({ ...moved, answers, document: isFirst && document ? document : found.document })
  return code
}
