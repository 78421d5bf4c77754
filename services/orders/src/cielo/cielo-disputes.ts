import { addDays, dayOf } from '@cofre/platform/calendar-day'
import { databaseNow } from '@cofre/platform/service/database-clock'
import { isDone, isRefused, readJson } from '@cofre/platform/outbound/partner-answers'
import { callPartner, forwardFileByVault, type Forwarded } from '@cofre/platform/outbound/vault-forward'
import type { VaultClient } from '@cofre/proto/vault/v1/vault'
import { z } from 'zod'
import type { Dispatch } from '../acquirer/acquirer'
import type {
  Answered,
  AnswerOutcome,
  AskedCases,
  CasePage,
  Disputes,
  Evidence,
  LatestStep,
} from '../acquirer/dispute-cases'
import type { Answer } from './cielo-answers'
import { readCases, readLatestStep } from './cielo-cases'

const PARTNER = 'acquirer-disputes'
const PAGE_SIZE = 200
/** The longest period that treated cases are listed of, and the most that one may ask for. */
const PERIOD_DAYS = 179

const DONE = ['101', '102']
const NOTHING_FOUND = '103'
const LATER = '901'
const ANSWERED_BEFORE = '931'
const DATABASE_AWAY = '918'
const REFUSAL = /^9\d\d$/

/** Cielo's chargeback API, through the vault, which has the seller's credentials and client certificate. */
export function openCieloDisputes(vault: VaultClient): Disputes {
  return {
    evidence: {
      contentTypes: ['application/pdf', 'image/jpeg', 'image/tiff'],
      bytesMax: 8 * 1024 * 1024,
      reasonMax: 100,
    },
    list: (asked, dispatch) => list(vault, asked, dispatch),
    latestStep: (caseId, dispatch) => latestStep(vault, caseId, dispatch),
    accept: async ({ establishmentNumber, disputeId, by }, dispatch) => {
      const updateChargeback = [{ establishmentNumber, idChargeback: disputeId }]
      const body = { updateChargeback, userName: by }
      return answerOutcome(await send(vault, { method: 'PUT', path: '/accept', body }, dispatch))
    },
    contest: async (answered, evidence, dispatch) =>
      answerOutcome(await contest(vault, answered, evidence, dispatch)),
  }
}

type Asked = { method: string; path: string; body?: object }

function send(
  vault: VaultClient,
  asked: Asked,
  { account, deadline, requestId }: Dispatch,
): Promise<Forwarded> {
  const { sellerId, merchantId } = account
  return callPartner(
    vault,
    { partner: PARTNER, ...asked, sellerId, account: merchantId, requestId },
    deadline,
  )
}

async function list(vault: VaultClient, asked: AskedCases, dispatch: Dispatch): Promise<CasePage> {
  const { establishmentNumber, caseId, page } = asked
  const today = dayOf(databaseNow())
  const period =
    asked.list === 'open'
      ? {}
      : { startNotificationPeriod: addDays(today, -PERIOD_DAYS), endNotificationPeriod: today }
  const body = {
    ...period,
    establishmentNumber: [establishmentNumber],
    ...(caseId ? { idCase: caseId } : {}),
  }
  const status = asked.list === 'open' ? 'PENDING' : 'DONE'
  const path = `/${status}?page=${page}&pageSize=${PAGE_SIZE}`
  const sent = await send(vault, { method: 'POST', path, body }, dispatch)
  if (sent.result !== 'answered') return { result: 'unknown' }
  if (codeOf(sent.answer) === NOTHING_FOUND) return { result: 'page', cases: [], more: false }
  const read = isDone(sent.answer.status) ? readCases(sent.answer.body, asked.list) : undefined
  if (!read) return { result: 'unknown' }
  const cases = read.cases.filter((each) => caseId === undefined || each.caseId === caseId)
  return { result: 'page', cases, more: read.rows === PAGE_SIZE }
}

async function latestStep(vault: VaultClient, caseId: string, dispatch: Dispatch): Promise<LatestStep> {
  const sent = await send(vault, { method: 'GET', path: `/lifecycle/${caseId}` }, dispatch)
  if (sent.result !== 'answered') return { result: 'unknown' }
  if (codeOf(sent.answer) === NOTHING_FOUND) return { result: 'none' }
  return isDone(sent.answer.status) ? readLatestStep(sent.answer.body) : { result: 'unknown' }
}

/** The file is named as the case. */
function contest(
  vault: VaultClient,
  { establishmentNumber, caseId, disputeId, by }: Answered,
  { contentType, reason, chunks }: Evidence,
  { account, deadline }: Dispatch,
): Promise<Forwarded> {
  const fields = { establishmentNumber, idChargeback: disputeId, reasonToRefuse: reason, userName: by }
  const { sellerId, merchantId } = account
  const head = { sellerId, partner: PARTNER, method: 'PUT', path: '/refuse', account: merchantId }
  const fileName = `${caseId}.${EXTENSIONS[contentType]}`
  return forwardFileByVault(vault, { ...head, fields, fileName, contentType, chunks }, deadline)
}

const EXTENSIONS: Readonly<Record<string, string>> = {
  'application/pdf': 'pdf',
  'image/jpeg': 'jpeg',
  'image/tiff': 'tiff',
}

function answerOutcome(sent: Forwarded): AnswerOutcome {
  if (sent.result !== 'answered') return sent
  const { status } = sent.answer
  const code = codeOf(sent.answer)
  if (isDone(status) && DONE.includes(code)) return { result: 'done' }
  if (code === ANSWERED_BEFORE) return { result: 'answered_before' }
  if (code === LATER) return { result: 'busy' }
  if (REFUSAL.test(code) && code !== DATABASE_AWAY) return { result: 'refused', code }
  return isRefused(status) ? { result: 'refused', code: `HTTP ${status}` } : { result: 'unknown' }
}

const coded = z.object({ code: z.union([z.string(), z.number()]).transform(String) })

/** The code of an answer: of the one case that was answered, or of the whole; empty: it has none. */
function codeOf({ body }: Pick<Answer, 'body'>): string {
  return (
    readJson(
      z.union([
        coded,
        z
          .array(coded)
          .min(1)
          .transform(([first]) => first as z.output<typeof coded>),
      ]),
      body,
    )?.code ?? ''
  )
}
