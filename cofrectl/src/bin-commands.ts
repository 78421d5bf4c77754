import { Argument, Command, Option } from 'commander'
import { BRANDS } from '@cofre/platform/card/card-brand'
import type { ListBinsResponse } from '@cofre/proto/vault/v1/vault'
import { parsePrefix } from './arguments'
import { runCommand } from './run-command'
import { card, moment, table } from './table'
import type { Terminal } from './terminal'

const RULES = `
The vault has a list of its own. A prefix that you put wins over it, and of your prefixes the longest wins.
A change is used within a second, and within a minute for cards that are stored already.`

/** The command for first digits of card numbers, which tell the brand. */
export function binCommand(terminal: Terminal): Command {
  const prefix = () =>
    new Argument('<prefix>', 'the first 2 to 8 digits of card numbers').argParser(parsePrefix)
  const bin = new Command('bin')
    .description('which first digits of card numbers belong to which brand')
    .addHelpText('after', `${RULES}\n\nExample:\n  cofrectl bin put 650034 --brand ELO`)
  bin
    .command('put')
    .description('assigns a prefix to a brand, or to another brand')
    .addArgument(prefix())
    .addOption(new Option('--brand <name>', 'the brand').choices(BRANDS).makeOptionMandatory())
    .addHelpText('after', `${RULES}\n\nExample:\n  cofrectl bin put 650034 --brand ELO`)
    .action((given: string, { brand }: { brand: string }, command: Command) =>
      put(terminal, command, { prefix: given, brand }),
    )
  bin
    .command('remove')
    .description('removes a prefix: the vault’s own list decides again')
    .addArgument(prefix())
    .addHelpText('after', '\nExample:\n  cofrectl bin remove 650034')
    .action((given: string, _options: object, command: Command) => remove(terminal, command, given))
  bin
    .command('list')
    .description('lists the prefixes that were put')
    .addHelpText('after', '\nExample:\n  cofrectl bin list')
    .action((_options: object, command: Command) => list(terminal, command))
  return bin
}

function put(terminal: Terminal, command: Command, row: { prefix: string; brand: string }): Promise<void> {
  return runCommand(terminal, command, async ({ admin, show }) => {
    await admin.on('vault')('putBin', row)
    show(row, card(row))
  })
}

function remove(terminal: Terminal, command: Command, prefix: string): Promise<void> {
  return runCommand(terminal, command, async ({ admin, show }) => {
    await admin.on('vault')('removeBin', { prefix })
    show({ prefix }, card({ removed: prefix }))
  })
}

function list(terminal: Terminal, command: Command): Promise<void> {
  return runCommand(terminal, command, async ({ admin, show }) => {
    const answer = await admin.on('vault')<ListBinsResponse>('listBins', {})
    const rows = answer.bins.map(({ prefix, brand, updatedAt }) => ({
      prefix,
      brand,
      since: moment(updatedAt),
    }))
    show(answer, table(rows))
  })
}
