import type { Language } from '../queue/email'
import type { Letter } from '../letter'
import { framedHtml } from '../letter-html'
import { paletteOf } from '../palette'
import { escapeHtml, oneLine } from '../plain-text'
import type { Theme } from '../../catalog/themes/theme'
import { disputeWords } from './dispute-words'
import { endpointWords } from './endpoint-words'
import { passwordWords } from './password-words'
import type { UserLetterFacts } from './user-letter-store'
import type { UserWords } from './user-words'

type Facts = { language: Language; facts: UserLetterFacts; theme: Theme; baseUrl: string }

/** The letter to a seller's user, and the page of the portal where something can be done about it. */
export function userLetter({ language, facts, theme, baseUrl }: Facts): Letter {
  const words = wordsOf(language, facts)
  const url = `${baseUrl}${words.path}`
  const frame = {
    language,
    subject: words.subject,
    sellerName: '',
    title: words.title,
    greeting: words.greeting,
    sentence: words.sentence,
    action: { label: words.action, url, orOpen: words.orOpen },
    footer: [words.why],
  }
  const { muted, text } = paletteOf(theme)
  const shown = words.facts.map(
    ({ label, value }) =>
      `<p style="margin:0;color:${muted};overflow-wrap:anywhere">${escapeHtml(label)}: <strong style="color:${text}">${escapeHtml(value)}</strong></p>`,
  )
  const before = `<tr><td style="padding:16px 24px 8px">
${shown.join('\n')}
<p style="margin:12px 0 0">${escapeHtml(words.next)}</p>
</td></tr>`
  return {
    subject: words.subject,
    text: textOf(words, url),
    html: framedHtml(frame, theme, { before, after: '' }),
  }
}

function wordsOf(language: Language, facts: UserLetterFacts): UserWords {
  if (facts.about === 'endpoint') return endpointWords(language, { ...facts, url: oneLine(facts.url) })
  if (facts.about === 'password')
    return passwordWords(language, { ...facts, sellerName: oneLine(facts.sellerName) })
  const [customer, orderReference] = [oneLine(facts.customer), oneLine(facts.orderReference)]
  return disputeWords(language, { ...facts, customer, orderReference, reason: oneLine(facts.reason) })
}

/** The letter as text, for readers without HTML. */
function textOf(words: UserWords, url: string): string {
  const parts = [
    [words.title],
    [words.greeting, words.sentence],
    words.facts.map(({ label, value }) => `${label}: ${value}`),
    [words.next],
    [`${words.action}:`, url],
    [words.why],
  ]
  return `${parts.map((lines) => lines.join('\n')).join('\n\n')}\n`
}
