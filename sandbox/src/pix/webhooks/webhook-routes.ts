import { z } from 'zod'
import type { Answer } from '../../partner-call'
import type { PixCall, PixRoute } from '../call'
import { claimKey } from '../charges/charge-change'
import { pixKey } from '../charges/charge-request'
import { pageOf, readQuery } from '../paging'
import type { PixBank } from '../pix-bank'
import { PixRefusal } from '../pix-refusal'
import { sellerOf } from '../seller'
import { read } from '../shape'
import { webhookKey, type Subject, type Webhook } from './webhook'

const wanted = z.strictObject({ webhookUrl: z.url({ protocol: /^https?$/ }).max(2_000) })
const path = z.object({ chave: pixKey })
const ALWAYS = { inicio: '2000-01-01T00:00:00Z', fim: '9999-12-31T23:59:59Z' }

/** `subject`: what the news is about. A webhook for Pix has the key of its path, the others have none. */
const rows = (subject: Subject, at: string): PixRoute[] => [
  ['put', at, `webhook${subject === 'pix' ? '' : subject}.write`, (bank, call) => put(bank, call, subject)],
  ['get', at, `webhook${subject === 'pix' ? '' : subject}.read`, (bank, call) => show(bank, call, subject)],
  [
    'delete',
    at,
    `webhook${subject === 'pix' ? '' : subject}.write`,
    (bank, call) => remove(bank, call, subject),
  ],
]

export const webhookRoutes: readonly PixRoute[] = [
  ...rows('pix', '/webhook/:chave'),
  ['get', '/webhook', 'webhook.read', list],
  ...rows('rec', '/webhookrec'),
  ...rows('cobr', '/webhookcobr'),
]

const INVALID = {
  pix: 'WebhookOperacaoInvalida',
  rec: 'WebhookRecOperacaoInvalida',
  cobr: 'WebhookCobROperacaoInvalida',
} as const

function put(bank: PixBank, { client, params, body, now }: PixCall, subject: Subject): Answer {
  const { webhookUrl } = read(wanted, body, INVALID[subject])
  const key = subject === 'pix' ? read(path, params, 'WebhookOperacaoInvalida').chave : ''
  if (subject === 'pix') claimKey(bank, client, key, 'WebhookOperacaoInvalida')
  bank.webhooks.save({ client, subject, key, url: webhookUrl.replace(/\/$/, ''), createdAt: now })
  return { status: 200 }
}

function show(bank: PixBank, call: PixCall, subject: Subject): Answer {
  return { status: 200, body: present(find(bank, call, subject)) }
}

function remove(bank: PixBank, call: PixCall, subject: Subject): Answer {
  bank.webhooks.save({ ...find(bank, call, subject), url: undefined })
  return { status: 204 }
}

function list({ webhooks }: PixBank, { client, query }: PixCall): Answer {
  const asked = readQuery({}, { ...ALWAYS, ...(query as object) }, 'WebhookConsultaInvalida')
  const found = webhooks
    .all()
    .filter((webhook) => webhook.client === client && webhook.subject === 'pix' && webhook.url !== undefined)
  const { items, parametros } = pageOf(asked, found, ({ createdAt }) => createdAt)
  return { status: 200, body: { parametros, webhooks: items.map(present) } }
}

function find({ webhooks }: PixBank, { client, params }: PixCall, subject: Subject): Webhook {
  const webhook = webhooks.get(webhookKey({ client, subject, key: params['chave'] ?? '' }))
  if (webhook?.url === undefined) throw new PixRefusal('WebhookNaoEncontrado')
  return webhook
}

function present({ client, subject, url, createdAt }: Webhook) {
  return {
    webhookUrl: url,
    ...(subject === 'pix' && { cnpj: sellerOf(client).cnpj }),
    criacao: new Date(createdAt).toISOString(),
  }
}
