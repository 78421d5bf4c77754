import { Command } from 'commander'
import type { RaiseBoletoNumbersResponse } from '@cofre/proto/invoices/v1/invoices'
import type { ListAccountsResponse } from '@cofre/proto/vault/v1/vault'
import { collectNamedFile, parseId, type NamedFile } from './arguments'
import { describePartners } from './partner-credentials'
import { runCommand } from './run-command'
import { readSecret } from './secret-input'
import { card, moment, table } from './table'
import type { Terminal } from './terminal'
import { UsageError } from './usage-error'

type AccountOptions = { seller: number; partner: string; name: string }
type PutOptions = AccountOptions & { credentialsFile: string; credentialFile: readonly NamedFile[] }
type NumberOptions = { seller: number; name: string; firstNumber: number }

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
    .option(
      '--credential-file <name=file>',
      'file with one more credential, such as a PEM certificate; repeat it for each',
      collectNamedFile,
      [],
    )
    .addHelpText(
      'after',
      `\nPartners and the credentials of an account at each:\n${describePartners()}` +
        '\nTo create accounts at acquirer and token-service, use `cofrectl establishment create`.' +
        '\n\nExample:\n  cofrectl account put --seller 9 --partner bank --name 1234567 --credentials-file bank.json' +
        '\n  cofrectl account put --seller 9 --partner acquirer-disputes --name 6f1e9c4a-… --credentials-file client.json \\' +
        '\n    --credential-file certificate=shop.crt --credential-file privateKey=shop.key' +
        '\nThe file contains one JSON object, as in the partner’s line above. A credential of several lines has its own file.',
    )
    .action((options: PutOptions, command: Command) => put(terminal, command, options))
  account
    .command('remove')
    .description('removes a seller’s account at a partner, and its credentials, from the vault')
    .requiredOption('--seller <id>', 'the seller', parseId)
    .requiredOption('--partner <name>', 'the partner')
    .requiredOption('--name <name>', 'the account’s name')
    .addHelpText(
      'after',
      '\nBoletos that are registered in a bank’s account can then be neither queried nor withdrawn. Payers may still pay' +
        '\nthem. To replace credentials, use `cofrectl account put` alone.' +
        '\n\nExample:\n  cofrectl account remove --seller 9 --partner bank --name 1234567',
    )
    .action((options: AccountOptions, command: Command) => remove(terminal, command, options))
  account
    .command('number')
    .description('has the numbers of boletos in a seller’s agreement with the bank begin at a number')
    .requiredOption('--seller <id>', 'the seller', parseId)
    .requiredOption('--name <name>', 'the agreement: the name of the seller’s account at the bank')
    .requiredOption('--first-number <n>', 'the last ten digits of the next “nosso número”', parseId)
    .addHelpText(
      'after',
      '\nNumbers begin at 1. Choose one above the highest that the bank has: another system may have used the agreement,' +
        '\nor Cofre before its database was restored. A number that is lower than the next one changes nothing.' +
        '\n\nExample:\n  cofrectl account number --seller 9 --name 1234567 --first-number 5001',
    )
    .action((options: NumberOptions, command: Command) => raise(terminal, command, options))
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
    const { seller: sellerId, partner, name, credentialsFile, credentialFile } = options
    const credentials = readCredentials(await readSecret(terminal, 'credentials', credentialsFile))
    for (const { name: credential, file } of credentialFile) {
      credentials[credential] = await readSecret(terminal, credential, file)
    }
    // A seller has one account at such a partner, which is its default.
    await admin.on('vault')('putAccount', { sellerId, partner, name, credentials, preference: 0 })
    const kept = { seller: sellerId, partner, name }
    show({ sellerId, partner, name }, card(kept))
  })
}

function remove(terminal: Terminal, command: Command, options: AccountOptions): Promise<void> {
  return runCommand(terminal, command, async ({ admin, show }) => {
    const { seller: sellerId, partner, name } = options
    await admin.on('vault')('removeAccount', { sellerId, partner, name })
    show({ sellerId, partner, name }, card({ seller: sellerId, partner, removed: name }))
  })
}

function raise(terminal: Terminal, command: Command, options: NumberOptions): Promise<void> {
  return runCommand(terminal, command, async ({ admin, show }) => {
    const { seller: sellerId, name: account, firstNumber } = options
    const request = { sellerId, account, firstNumber }
    const answer = await admin.on('invoices')<RaiseBoletoNumbersResponse>('raiseBoletoNumbers', request)
    show(answer, card({ seller: sellerId, agreement: account, 'next number': answer.nextNumber }))
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
      'certificate until': moment(account.certificateExpiresAt),
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
