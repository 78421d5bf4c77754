import { Command } from 'commander'
import type { CreatedToken, ListTokensResponse, Token } from '@cofre/proto/gateway/v1/gateway'
import { collectScope, parseDate, parseId, SCOPE_LINES } from './arguments'
import { readAll } from './read-all'
import { runCommand } from './run-command'
import { card, moment, table } from './table'
import type { Terminal } from './terminal'
import { UsageError } from './usage-error'

type CreateOptions = {
  seller: number
  title: string
  expiresOn?: string
  scope?: string[]
  allScopes: boolean
}

export function tokenCommand(terminal: Terminal): Command {
  const token = new Command('token')
    .description('API tokens of a seller')
    .addHelpText('after', '\nExample:\n  cofrectl token list --seller 9')
  token
    .command('create')
    .description('creates a token and prints it; it cannot be shown again')
    .requiredOption('--seller <id>', 'the seller', parseId)
    .requiredOption('--title <title>', 'a name for the token')
    .option(
      '--expires-on <date>',
      'the token stops working at the start of this day in São Paulo (YYYY-MM-DD)',
      parseDate,
    )
    .option('--scope <scope>', 'a scope of the token; repeat the option for more', collectScope)
    .option('--all-scopes', 'the token can do everything, including with scopes of later versions', false)
    .addHelpText(
      'after',
      `\nScopes:\n${SCOPE_LINES}` +
        '\n\nExample:\n  cofrectl token create --seller 9 --title shop --scope cards:write --scope orders:write',
    )
    .action((options: CreateOptions, command: Command) => create(terminal, command, options))
  token
    .command('list')
    .description('lists a seller’s tokens')
    .requiredOption('--seller <id>', 'the seller', parseId)
    .addHelpText('after', '\nExample:\n  cofrectl token list --seller 9')
    .action((options: { seller: number }, command: Command) =>
      runCommand(terminal, command, async ({ admin, show }) => {
        const tokens = await readAll<Token>(async (after) => {
          const request = { sellerId: options.seller, after }
          const answer = await admin.on('gateway')<ListTokensResponse>('listTokens', request)
          return { entries: answer.tokens, more: answer.more }
        })
        show(tokens, table(tokens.map(rowOf)))
      }),
    )
  token
    .command('revoke')
    .description('revokes a token; it stops working everywhere within a second')
    .argument('<id>', 'the id of the token, from `token list`')
    .addHelpText('after', '\nExample:\n  cofrectl token revoke 3f6c0f0e-…')
    .action((id: string, _options: object, command: Command) =>
      runCommand(terminal, command, async ({ admin, show }) => {
        const revoked = await admin.on('gateway')<Token>('revokeToken', { id })
        show(revoked, card(rowOf(revoked)))
      }),
    )
  return token
}

/** Requires an explicit choice: a token for everything is never the default. */
function requireScopes(scopes: readonly string[], allScopes: boolean): void {
  if (allScopes && scopes.length > 0) {
    throw new UsageError('Use --scope or --all-scopes, not both.')
  }
  if (allScopes || scopes.length > 0) return
  throw new UsageError(
    `Choose what the token can do: --scope for each scope, or --all-scopes.\nThe scopes are:\n${SCOPE_LINES}`,
  )
}

async function create(terminal: Terminal, command: Command, options: CreateOptions): Promise<void> {
  const { scope: scopes = [], allScopes } = options
  requireScopes(scopes, allScopes)
  return runCommand(terminal, command, async ({ admin, show }) => {
    const created = await admin.on('gateway')<CreatedToken>('createToken', {
      sellerId: options.seller,
      title: options.title,
      scopes,
      allScopes,
      ...(options.expiresOn === undefined ? {} : { expiresOn: options.expiresOn }),
    })
    const { accessToken, token } = created
    show(created, token ? `${card(rowOf(token))}\n${accessToken}\n` : `${accessToken}\n`)
  })
}

function rowOf({ id, sellerId, title, scopes, createdAt, expiresAt, lastUsedAt, revokedAt }: Token) {
  return {
    id,
    seller: sellerId,
    title,
    scopes: scopes.join(' ') || 'all',
    created: moment(createdAt),
    expires: moment(expiresAt),
    'last used': moment(lastUsedAt),
    revoked: moment(revokedAt),
  }
}
