import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command, CommanderError } from 'commander'
import { DomainError } from '@cofre/platform/errors'
import { accountCommand } from './account-commands'
import { binCommand } from './bin-commands'
import { establishmentCommand } from './establishment-commands'
import { transactionCommand } from './transaction-commands'
import { voucherCommand } from './voucher-commands'
import { keysCommand } from './key-commands'
import { listenCommand } from './webhooks/listen'
import { pixCommand } from './invoices/pix-commands'
import { problemText } from './problem-text'
import { receiptCommand } from './invoices/receipt-commands'
import { refundCommand } from './invoices/refund-commands'
import { sellerCommand, userCommand } from './seller-commands'
import type { Terminal } from './terminal'
import { tokenCommand } from './token-commands'
import { triggerCommand } from './webhooks/trigger'
import { UsageError } from './usage-error'

const HELP = `
A flag wins over its environment variable: COFRE_GATEWAY_ADDRESS, COFRE_ORDERS_ADDRESS, COFRE_VAULT_ADDRESS,
COFRE_VOUCHERS_ADDRESS, COFRE_INVOICES_ADDRESS (host:port), COFRE_TLS_CA_FILE, COFRE_TLS_CERT_FILE, COFRE_TLS_KEY_FILE (PEM). Without either,
cofrectl administers the system that npm start runs in the current folder.

Exit codes: 0 success, 1 refused or failed, 2 invalid arguments.

Examples:
  cofrectl seller create --name "Loja Azul"
  cofrectl establishment create --seller 9 --merchant-id 6f1e9c4a-… --merchant-key-file key.txt
  cofrectl token create --seller 9 --title shop --scope cards:write --scope orders:write
  cofrectl token revoke 3f6c0f0e-…
  cofrectl keys rotate-data`

/** Runs one command line and returns its exit code. */
export async function cofrectl(args: readonly string[], terminal: Terminal): Promise<number> {
  const complaint = { made: false }
  const program = build(terminal, complaint)
  try {
    await program.parseAsync(args, { from: 'user' })
    return 0
  } catch (error) {
    // Not the error's exitCode: that of `help` is the current exit code of the whole process.
    if (error instanceof CommanderError) return complaint.made ? 2 : 0
    terminal.errors.write(`cofrectl: ${describe(error)}\n`)
    return error instanceof UsageError ? 2 : 1
  }
}

/** `complaint.made` is true when the command line was wrong. A request for help is no error. */
function build(terminal: Terminal, complaint: { made: boolean }): Command {
  const program = new Command('cofrectl')
    .description('Administers Cofre: sellers, establishments, transactions, tokens, keys.')
    .version(readVersion(), '--version', 'print the version of cofrectl')
    .option('--json', 'answer in JSON')
    .option('--gateway-address <host:port>', 'gRPC address of the gateway')
    .option('--orders-address <host:port>', 'gRPC address of orders')
    .option('--vault-address <host:port>', 'gRPC address of the vault')
    .option('--vouchers-address <host:port>', 'gRPC address of vouchers')
    .option('--invoices-address <host:port>', 'gRPC address of invoices')
    .option('--ca-file <file>', 'PEM file of the authority that signs the services’ certificates')
    .option('--cert-file <file>', 'PEM file of cofrectl’s certificate')
    .option('--key-file <file>', 'PEM file of cofrectl’s private key')
    .addHelpText('after', HELP)
  const commands = [
    sellerCommand,
    userCommand,
    establishmentCommand,
    accountCommand,
    binCommand,
    transactionCommand,
    voucherCommand,
    receiptCommand,
    refundCommand,
    pixCommand,
    tokenCommand,
    keysCommand,
    listenCommand,
    triggerCommand,
  ]
  for (const make of commands) program.addCommand(make(terminal))
  forEachCommand(program, (command) => {
    command.exitOverride().showHelpAfterError('(see --help)')
    command.configureOutput({
      writeOut: (text) => void terminal.output.write(text),
      writeErr: (text) => {
        complaint.made = true
        terminal.errors.write(text)
      },
    })
  })
  return program
}

function readVersion(): string {
  const text = readFileSync(join(__dirname, '../package.json'), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}

function forEachCommand(command: Command, visit: (command: Command) => void): void {
  visit(command)
  for (const child of command.commands) forEachCommand(child, visit)
}

function describe(error: unknown): string {
  if (error instanceof DomainError) return problemText(error.reason, error.message, error.extra.errors ?? [])
  return error instanceof Error ? error.message : String(error)
}
