import type { Language } from '../email/email'
import type { Letter } from '../letters/letter'
import { framedHtml } from '../letters/letter-html'
import { paletteOf } from '../letters/palette'
import { escapeHtml, oneLine } from '../letters/plain-text'
import type { Theme } from '../theme/theme'
import { endpointWords } from './endpoint-words'
import type { DisabledEndpoint } from './user-letter-store'

type Facts = { language: Language; facts: DisabledEndpoint; theme: Theme; baseUrl: string }

/** The letter to a seller's user about a disabled endpoint, and where to enable it again. */
export function endpointLetter({ language, facts, theme, baseUrl }: Facts): Letter {
  const words = endpointWords(language, { ...facts, url: oneLine(facts.url) })
  const url = `${baseUrl}/portal/webhooks/endpoints/${facts.endpointId}`
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

/** The letter as text, for readers without HTML. */
function textOf(words: ReturnType<typeof endpointWords>, url: string): string {
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
