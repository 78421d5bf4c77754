import { join } from 'node:path'
import { Eta } from 'eta'
import { Router } from 'express'
import { z } from 'zod'
import { brazilTime } from '../../acquirer/brazil-time'
import { dayAt, noonOf } from '../../bank/bank-calendar'
import { parse } from '../../problem'
import { statusOfRec, type Journey, type Rec } from '../automatic/rec'
import { termsOf, type Charge, type ChargeStatus } from '../charges/charge'
import { paymentsOf } from '../charges/charge-answer'
import { askedAt, closedBecause } from '../charges/payment'
import { readBrCode } from '../locations/br-code'
import { hundredthsOf } from '../money-text'
import type { PixBank } from '../pix-bank'
import { sellerOf } from '../seller'
import { holderAt } from './find'
import { presentTruth } from './truth'

const CHARGES_SHOWN = 12
/** The page loads nothing and runs no script. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'self'; frame-ancestors 'none'"

const KINDS: Record<ChargeStatus, string> = {
  ATIVA: 'waiting',
  CONCLUIDA: 'approved',
  REMOVIDA_PELO_USUARIO_RECEBEDOR: 'declined',
  REMOVIDA_PELO_PSP: 'declined',
}

const eta = new Eta({ views: join(__dirname, '..', '..', '..', 'views'), cache: true })
const currency = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' })
const reais = (cents: number) => currency.format(cents / 100)
const asked = z.strictObject({
  copyAndPaste: z.string().max(1_000).default(''),
  day: z.union([z.literal(''), z.iso.date()]).default(''),
})

/** The page of a payer's bank: paste a code, see who asks for how much on a day, and pay. */
export function pixPage(bank: PixBank): Router {
  const router = Router()
  router.route('/pix/pay').get(async (request, response) => {
    const { copyAndPaste, day } = parse(asked, request.query)
    const at = day === '' ? await bank.now() : noonOf(day)
    response
      .set({ 'Content-Security-Policy': POLICY, 'Cache-Control': 'no-store' })
      .type('html')
      .send(eta.render('./pix/app', { copyAndPaste, day, ...found(bank, copyAndPaste, at) }))
  })
  return router
}

/** Returns the data about the Pix bank for the sandbox's page. */
export function pixView(bank: PixBank) {
  const now = Date.now()
  return {
    count: bank.charges.count,
    charges: bank.charges.newest(CHARGES_SHOWN).map((charge) => ({
      time: brazilTime(charge.createdAt),
      txid: charge.txid,
      due: charge.kind === 'cobv' ? termsOf(charge).calendario.dataDeVencimento : 'now',
      status: charge.status,
      kind: KINDS[charge.status],
      amount: reais(hundredthsOf(termsOf(charge).valor.original)),
      paid: paymentsOf(bank, charge)
        .map(({ amount }) => reais(amount))
        .join(' + '),
      link: `/pix/pay?copyAndPaste=${encodeURIComponent(presentTruth(bank, charge, now).copyAndPaste)}`,
    })),
    permissions: bank.recs.newest(CHARGES_SHOWN).map(permissionView),
  }
}

function found(bank: PixBank, copyAndPaste: string, at: number) {
  if (copyAndPaste === '') return {}
  const readable = readBrCode(copyAndPaste)
  if (!readable) return { problem: 'O código está incompleto ou alterado.' }
  const charge = bank.charges.get(holderAt(bank, readable.charge))
  const rec = bank.recs.get(holderAt(bank, readable.permission))
  if (!charge && !rec) return { problem: 'Não há cobrança com este código.' }
  return {
    ...(charge && { charge: view(bank, charge, at) }),
    ...(rec && { permission: { ...permissionView(rec), journey: journeyOf(charge) } }),
  }
}

function permissionView(rec: Rec) {
  const { vinculo, valor, calendario } = rec.terms
  const status = statusOfRec(rec)
  return {
    idRec: rec.idRec,
    receiver: sellerOf(rec.client).nome,
    about: vinculo.objeto ?? vinculo.contrato,
    amount: valor?.valorRec === undefined ? 'variável' : reais(hundredthsOf(valor.valorRec)),
    period: calendario.periodicidade.toLowerCase(),
    status,
    actions: status === 'CRIADA' ? ['accept', 'refuse'] : status === 'APROVADA' ? ['cancel'] : [],
  }
}

function journeyOf(charge: Charge | undefined): Journey {
  if (!charge) return 'JORNADA_2'
  return charge.kind === 'cob' ? 'JORNADA_3' : 'JORNADA_4'
}

function view(bank: PixBank, charge: Charge, at: number) {
  const { nome, cnpj } = sellerOf(charge.client)
  const due = askedAt(charge, at)
  const parts: [string, number][] = [
    ['Abatimento', -due.abatimento],
    ['Desconto', -due.desconto],
    ['Multa', due.multa],
    ['Juros', due.juros],
  ]
  return {
    receiver: nome,
    document: cnpj,
    facts: [
      ...(charge.kind === 'cobv'
        ? [['Vencimento', dateOf(termsOf(charge).calendario.dataDeVencimento)]]
        : []),
      ['Valor original', reais(due.original)],
      ...parts.filter(([, cents]) => cents !== 0).map(([name, cents]) => [name, reais(cents)]),
    ],
    day: dateOf(dayAt(at)),
    total: reais(due.total),
    status: charge.status,
    open: closedBecause(charge, at) === undefined,
    payments: paymentsOf(bank, charge).map(
      ({ amount, at: paidAt }) => `${reais(amount)} em ${dateOf(dayAt(paidAt))}`,
    ),
  }
}

/** Returns a day as Brazilians write it. */
function dateOf(day: string): string {
  return day.split('-').toReversed().join('/')
}
