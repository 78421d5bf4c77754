import { Command } from 'commander'
import type { ListAccountsResponse } from '@cofre/proto/vault/v1/vault'
import { parseId } from './arguments'
import { describePartners } from './partner-credentials'
import { runCommand } from './run-command'
import { readSecret } from './secret-input'
import { card, moment, table } from './table'
import type { Terminal } from './terminal'
import { UsageError } from './usage-error'

type PutOptions = { seller: number; partner: string; name: string; credentialsFile: string }

/** The command for partners that know a seller only by an account: the bank and voucher issuers. */
export function accountCommand(terminal: Terminal): Command {
  const account = new Command('account')
    .description('sellers’ accounts at partners: the bank, voucher issuers')
    .addHelpText('after', '\nExample:\n  cofrectl account list --seller 9')
  account
    .command('put')
    .description('stores a seller’s credentials at a partner in the vault, or replaces them')
    .requiredOption('--seller <id>', 'the seller', parseId)
    .requiredOption('--partner <name>', 'the partner, one of those below')
    .requiredOption('--name <name>', 'the account’s name: the number or code that the partner gave')
    .requiredOption(
      '--credentials-file <file>',
      'file with a JSON object of the partner’s credentials; - reads standard input',
    )
    .addHelpText(
      'after',
      `\nPartners and the credentials of an account at each:\n${describePartners()}` +
        '\nTo create accounts at acquirer and token-service, use `cofrectl establishment create`.' +
        '\n\nExample:\n  cofrectl account put --seller 9 --partner bank --name 1234567 --credentials-file bank.json' +
        '\nThe file contains one JSON object, as in the partner’s line above.',
    )
    .action((options: PutOptions, command: Command) => put(terminal, command, options))
  account
    .command('list')
    .description('lists a seller’s accounts and which credentials each has, never their values')
    .requiredOption('--seller <id>', 'the seller', parseId)
    .addHelpText('after', '\nExample:\n  cofrectl account list --seller 9')
    .action((options: { seller: number }, command: Command) => list(terminal, command, options.seller))
  return account
}

function put(terminal: Terminal, command: Command, options: PutOptions): Promise<void> {
  return runCommand(terminal, command, async ({ admin, show }) => {
    const { seller: sellerId, partner, name, credentialsFile } = options
    const credentials = readCredentials(await readSecret(terminal, 'credentials', credentialsFile))
    // A seller has one account at such a partner, which is its default.
    await admin.on('vault')('putAccount', { sellerId, partner, name, credentials, preference: 0 })
    const kept = { seller: sellerId, partner, name }
    show({ sellerId, partner, name }, card(kept))
  })
}

function list(terminal: Terminal, command: Command, sellerId: number): Promise<void> {
  return runCommand(terminal, command, async ({ admin, show }) => {
    const answer = await admin.on('vault')<ListAccountsResponse>('listAccounts', { sellerId })
    const rows = answer.accounts.map((account) => ({
      partner: account.partner,
      name: account.name,
      credentials: account.credentials.join(', '),
      missing: account.missingCredentials.join(', '),
      since: moment(account.updatedAt),
    }))
    show(answer, table(rows) + (answer.more ? 'There are more.\n' : ''))
  })
}

function readCredentials(text: string): Record<string, string> {
  const isText = (value: unknown) => typeof value === 'string'
  try {
    const parsed: unknown = JSON.parse(text)
    const isObject = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
    const values = isObject ? Object.values(parsed) : []
    if (values.length > 0 && values.every(isText)) return parsed as Record<string, string>
  } catch {
    // The error below omits the text, which is secret.
  }
  throw new UsageError('The credentials must be a JSON object whose values are strings.')
}
