import { Command } from 'commander'
import { parseId } from './arguments'
import { runCommand } from './run-command'
import { readSecret } from './secret-input'
import { card } from './table'
import type { Terminal } from './terminal'
import { UsageError } from './usage-error'

type PutOptions = { seller: number; partner: string; name: string; credentialsFile: string }

/** For partners that have nothing but an account of a seller: the issuers of vouchers. */
export function accountCommand(terminal: Terminal): Command {
  const account = new Command('account')
    .description('sellers’ accounts at partners, voucher issuers above all')
    .addHelpText(
      'after',
      '\nExample:\n  cofrectl account put --seller 9 --partner vr --name 4711 --credentials-file vr.json',
    )
  account
    .command('put')
    .description('gives the vault a seller’s credentials at a partner, or replaces them')
    .requiredOption('--seller <id>', 'the seller', parseId)
    .requiredOption('--partner <name>', 'the partner, as the vault’s settings name it: alelo, vr')
    .requiredOption('--name <name>', 'the account’s name: the affiliation code that the partner gave')
    .requiredOption(
      '--credentials-file <file>',
      'JSON, credential → value, as the partner’s settings name them; - is standard input',
    )
    .addHelpText(
      'after',
      '\nExample:\n  echo \'{"estabelecimento":"4711","chave":"…"}\' | cofrectl account put --seller 9 --partner vr --name 4711 --credentials-file -',
    )
    .action((options: PutOptions, command: Command) => put(terminal, command, options))
  return account
}

function put(terminal: Terminal, command: Command, options: PutOptions): Promise<void> {
  return runCommand(terminal, command, async ({ admin, show }) => {
    const { seller: sellerId, partner, name, credentialsFile } = options
    const credentials = readCredentials(await readSecret(terminal, 'credentials', credentialsFile))
    // A seller has one account at such a partner: it is the default one.
    await admin.on('vault')('putAccount', { sellerId, partner, name, credentials, preference: 0 })
    const kept = { seller: sellerId, partner, name }
    show({ sellerId, partner, name }, card(kept))
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
    // Said below, without the text, which is secret.
  }
  throw new UsageError('The credentials must be a JSON object of texts.')
}
