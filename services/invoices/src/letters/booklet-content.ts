import type { Content, Message } from './letter-content'
import type { LetterFacts } from './letter'
import { oneLine } from './plain-text'
import type { Words } from './words'

/** The letter of a booklet: each invoice with its page, which is paid as it falls due. */
export function bookletOf(
  { booklet, pagesUrl, paymentUrl }: Omit<LetterFacts, 'kind'>,
  words: Words,
  sellerName: string,
): Message {
  const { parts = [], slips = 0 } = booklet ?? {}
  const from = words.from(sellerName)
  const [first] = parts
  const all = { count: parts.length, due: first ? words.day(first.dueDay) : '' }
  return {
    subject: words.booklet.subject(all, from),
    title: words.booklet.title,
    sentence: words.booklet.sentence(all, from),
    amount: {
      label: words.labels.booklet,
      value: words.money(parts.reduce((sum, { amount }) => sum + amount, 0)),
    },
    facts: [],
    items: parts.map(({ number, dueDay, amount, publicId }): Content['items'][number] => ({
      description: words.booklet.part(oneLine(number), words.day(dueDay)),
      count: '',
      url: `${pagesUrl}${publicId}`,
      total: words.money(amount),
    })),
    sums: [],
    note: [
      ...(slips > 0 ? [words.booklet.attached] : []),
      ...(slips > 0 && slips < parts.length ? [words.booklet.others] : []),
    ].join(' '),
    action: { label: words.booklet.pay, url: paymentUrl, orOpen: words.orOpen },
  }
}
