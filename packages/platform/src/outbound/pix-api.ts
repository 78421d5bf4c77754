import { z } from 'zod'
import { cutTo } from '../partner-text'

/** The words of API Pix 2.9.0 that invoices and orders share. */

const NAME_MAX = 200

/** A payer as a charge names one. */
export function payerOf({ name, document }: { name: string; document: string }): object {
  return { [document.length === 11 ? 'cpf' : 'cnpj']: document, nome: cutTo(name, NAME_MAX) }
}

/** What takes a charge away. */
export const WITHDRAWN = { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' }

/** Reais as text, read as cents. */
export const pixCents = z
  .string()
  .regex(/^\d{1,10}\.\d{2}$/)
  .transform((text) => Number(text.replace('.', '')))

/** Who paid, with the document masked; empty where the bank does not say. */
export const pixPayer = z
  .object({
    cpf: z.string().regex(/^\d{11}$/),
    cnpj: z.string().regex(/^[0-9A-Z]{14}$/),
    nome: z.string().max(NAME_MAX),
  })
  .partial()
  .transform(({ cpf, cnpj, nome = '' }) => ({ name: nome, document: cnpj ?? (cpf ? maskCpf(cpf) : '') }))

/** As bank statements show another's CPF: the outer digits are hidden. */
function maskCpf(cpf: string): string {
  return `***${cpf.slice(3, 9)}**`
}

const charged = z.array(z.object({ txid: z.string().max(35).optional() })).max(1_000)
const notice = z.union([
  z.object({ pix: charged }),
  z.object({ cobsr: charged }).transform(({ cobsr }) => ({ pix: cobsr })),
  z
    .object({ recs: z.array(z.object({ idRec: z.string().max(29) })).max(1_000) })
    .transform(({ recs }) => ({ pix: [], recIds: recs.map(({ idRec }) => idRec) })),
])

/**
 * The charges and the permissions (Pix Automático) that a notice of the bank is about. Undefined when it is not in the
 * words of API Pix.
 */
export function noticeOf(body: unknown): { txids: string[]; recIds: string[] } | undefined {
  const { data } = notice.safeParse(body)
  if (!data) return undefined
  return { txids: data.pix.flatMap(({ txid }) => txid ?? []), recIds: 'recIds' in data ? data.recIds : [] }
}

const problem = z.object({ type: z.string().max(200) })

/** The bank's code for a refusal, the end of its type; a dash when it gave none. */
export function problemOf(body: unknown): string {
  const code = problem.safeParse(body).data?.type.split('/').at(-1) ?? ''
  return /^[A-Za-z]{1,60}$/.test(code) ? code : '-'
}
