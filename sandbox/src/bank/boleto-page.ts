import { join } from 'node:path'
import { Eta } from 'eta'
import { Router } from 'express'
import { z } from 'zod'
import { brazilTime } from '../acquirer/brazil-time'
import { parse } from '../problem'
import type { Bank } from './bank'
import { askedAt, statusOf, type Slip } from './slip'

/** The page loads nothing and runs no script. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'self'; frame-ancestors 'none'"

const eta = new Eta({ views: join(__dirname, '..', '..', 'views'), cache: true })
const currency = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' })
const reais = (cents: number) => currency.format(cents / 100)
const asked = z.strictObject({ line: z.string().max(100).default('') })

/** The page of a payer's bank: type the line of a boleto, see how much is asked for today, and pay. */
export function boletoPage(bank: Bank): Router {
  const router = Router()
  router.route('/boletos/pay').get(async (request, response) => {
    const { line } = parse(asked, request.query)
    const slip = bank.book.findByLine(line.replaceAll(/\D/g, ''))
    const found = slip ? { slip: viewOf(slip, await bank.now()) } : {}
    const problem = slip || line === '' ? undefined : 'Não há boleto com esta linha.'
    response
      .set({ 'Content-Security-Policy': POLICY, 'Cache-Control': 'no-store' })
      .type('html')
      .send(eta.render('./boleto/app', { line, problem, ...found }))
  })
  return router
}

function viewOf(slip: Slip, now: number) {
  const status = statusOf(slip, now)
  return {
    digits: slip.line.replaceAll(/\D/g, ''),
    dueDate: slip.dueDate.split('-').reverse().join('/'),
    amount: reais(slip.amount),
    asked: reais(askedAt(slip, now)),
    status,
    open: status === 'REGISTRADO',
    payments: slip.receipts.map(({ amount, paidAt }) => `${reais(amount)} em ${brazilTime(paidAt)}`),
  }
}
