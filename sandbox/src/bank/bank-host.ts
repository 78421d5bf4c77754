import express, { type ErrorRequestHandler, type Express, type Request } from 'express'
import type { CallKind } from '../faults'
import { type Answer, withFaults } from '../partner-call'
import { answerOf, wrongMethod, wrongRoute } from '../partner-routes'
import { bodyErrorStatus, reportBug } from '../problem'
import type { Bank } from './bank'
import { dayAt } from './bank-calendar'
import { BankRefusal } from './bank-refusal'
import { presentSlip } from './slip-answer'
import type { Slip } from './slip'
import { readSlip } from './slip-request'

const BODY_MAX = '64kb'

type Call = (agreement: string, request: Request) => Answer

/** The bank's API for slips, over https. */
export function bankHost(bank: Bank): Express {
  const app = express().disable('x-powered-by').disable('etag')
  const json = express.json({ type: () => true, limit: BODY_MAX })
  // One listener serves changes and queries, so it refuses connections only when both must fail.
  const call = (kind: CallKind, made: Call) =>
    withFaults({ faults: bank.faults, partner: 'BANK', kind, door: 'QUERY' }, (request) =>
      answerOf(BankRefusal, () =>
        made(bank.keys.identify(request.get('x-convenio'), request.get('x-chave-acesso')), request),
      ),
    )
  app
    .route('/boletos')
    .post(
      json,
      call('CHANGE', (agreement, { body }) => register(bank, agreement, body)),
    )
    .all(wrongMethod('POST'))
  app
    .route('/boletos/:ourNumber')
    .get(call('QUERY', (agreement, request) => ok(find(bank, agreement, request))))
    .all(wrongMethod('GET'))
  app
    .route('/boletos/:ourNumber/baixar')
    .post(
      json,
      call('CHANGE', (agreement, request) => cancel(bank, find(bank, agreement, request))),
    )
    .all(wrongMethod('POST'))
  app.use(wrongRoute, sendFailure)
  return app
}

function register({ book }: Bank, agreement: string, body: unknown): Answer {
  const slip = readSlip(agreement, body, Date.now())
  if (book.get(slip.ourNumber)) throw new BankRefusal('BOLETO_DUPLICADO', 'nossoNumero')
  if (slip.dueDate < dayAt(slip.registeredAt)) throw new BankRefusal('VENCIMENTO_INVALIDO', 'dataVencimento')
  book.save(slip)
  return { status: 201, body: presentSlip(slip, slip.registeredAt) }
}

function cancel({ book }: Bank, slip: Slip): Answer {
  if (slip.receipts.length > 0) throw new BankRefusal('BOLETO_LIQUIDADO')
  const cancelled = { ...slip, cancelled: true }
  if (!slip.cancelled) book.save(cancelled)
  return ok(cancelled)
}

function find({ book }: Bank, agreement: string, { params }: Request): Slip {
  const slip = book.get(String(params['ourNumber']))
  if (slip?.agreement !== agreement) throw new BankRefusal('BOLETO_NAO_ENCONTRADO')
  return slip
}

function ok(slip: Slip): Answer {
  return { status: 200, body: presentSlip(slip, Date.now()) }
}

const sendFailure: ErrorRequestHandler = (error: unknown, _request, response, _next) => {
  const status = bodyErrorStatus(error)
  if (!status) reportBug(error)
  if (status) response.status(status).json(new BankRefusal('REQUISICAO_INVALIDA').body)
  else response.status(500).end()
}
