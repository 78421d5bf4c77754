import type { PixBank } from '../pix-bank'

/** What a webhook is about: the end of its URL, and the member that holds the news. */
export const MEMBERS = { pix: 'pix', rec: 'recs', cobr: 'cobsr' } as const
export type Subject = keyof typeof MEMBERS

/** Where a seller wants news; without a URL, nowhere. Pix have one for each key, the others one for the account. */
export type Webhook = {
  client: string
  subject: Subject
  key: string
  url?: string | undefined
  createdAt: number
}

export function webhookKey({ client, subject, key }: Pick<Webhook, 'client' | 'subject' | 'key'>): string {
  return `${client}/${subject}/${key}`
}

/** Reports news to a seller who asked for it. */
export function tell(
  { webhooks, sender }: PixBank,
  client: string,
  subject: Subject,
  key: string,
  item: object,
): void {
  const url = webhooks.get(webhookKey({ client, subject, key }))?.url
  if (url !== undefined) sender.send(`${url}/${subject}`, MEMBERS[subject], [item])
}
