import type { z } from 'zod'
import type { networkTokenSchema } from '@cofre/api/network-token'
import { thing } from '../desk/thing'
import { time, word, type Badge } from '../words/value'
import type { Word } from '../words/portuguese'
import { cardWords } from '../words/card-words'

type Token = z.output<typeof networkTokenSchema>

const STATUSES: Record<Token['status'], Badge> = {
  PENDING: { text: 'Pending', mood: 'waiting' },
  ACTIVE: { text: 'Active', mood: 'good' },
  FAILED: { text: 'Failed', mood: 'bad' },
  INACTIVE: { text: 'Inactive', mood: 'quiet' },
}

/** Why the card network made no token, and what to do. */
const REASONS: Record<string, Word> = {
  CARD_NOT_ELIGIBLE: 'The card can have no network token. Charge the card itself.',
  ISSUER_DECLINED: 'The issuer refused the token. The customer may ask the issuer, or use another card.',
  CARD_EXPIRED: 'The card has expired. Ask for a new one.',
  NETWORK_UNAVAILABLE: 'The card network did not answer. Ask for the token again.',
  ACQUIRER_REJECTED: 'The acquirer refused the request. Ask it whether your account may have network tokens.',
  TIMEOUT: 'No answer came in time. Ask for the token again.',
}

export const networkTokens = thing<Token, Token>({
  name: 'network-tokens',
  many: 'Network tokens',
  none: 'No network token has been asked for yet.',
  under: 'integrations',
  right: 'developers',
  key: 'token',
  ids: /^[0-9a-f]{64}$/,
  list: 'listNetworkTokens',
  read: 'getNetworkToken',
  filters: [
    {
      name: 'status',
      label: 'Status',
      kind: 'choice',
      options: Object.entries(STATUSES).map(([name, { text }]) => [name, text]),
    },
    { name: 'lastFour', label: 'Card’s last four digits', kind: 'text' },
    { name: 'createdFrom', label: 'From', kind: 'day' },
    { name: 'createdTo', label: 'To', kind: 'day' },
  ],
  searched: ['lastFour'],
  columns: [
    { name: 'Date', of: ({ createdAt }) => time(createdAt) },
    { name: 'Token', of: ({ token }) => `${token.slice(0, 12)}…`, leads: true },
    { name: 'Card', of: cardWords },
    { name: 'Holder', of: ({ holder }) => holder.name },
    { name: 'Expires', of: ({ expiration: { month, year } }) => `${month.padStart(2, '0')}/${year}` },
    { name: 'Status', of: ({ status }) => ({ badge: STATUSES[status] }) },
  ],
  heading: (token) => word('Network token of {card}', { card: cardWords(token) }),
  page: (token) => ({
    badge: STATUSES[token.status],
    blocks: [
      {
        ...(token.reason !== undefined && {
          alert: {
            title: word('The card network made no token.'),
            code: token.reason,
            text: word(REASONS[token.reason] ?? 'Ask for the token again.'),
          },
        }),
        facts: [
          ['Card', cardWords(token)],
          ['First six digits', token.bin],
          ['Holder', token.holder.name],
          ['Expires', `${token.expiration.month.padStart(2, '0')}/${token.expiration.year}`],
          ['Created', time(token.createdAt)],
          ['Last change', time(token.updatedAt)],
        ],
      },
      { code: { label: 'Token', text: token.token } },
    ],
  }),
  actions: [
    {
      operation: 'deactivateNetworkToken',
      name: 'deactivate',
      label: 'Deactivate',
      danger: true,
      applies: ({ status }) => status === 'ACTIVE',
      says: () =>
        word(
          'The card network deletes the token: nothing can be charged with it any more. A new one can be asked for.',
        ),
      done: 'The token was deactivated.',
    },
  ],
})
