import { Command, Option } from 'commander'
import type {
  ListPortalUsersResponse,
  ListSellersResponse,
  MakePasswordLinkResponse,
  PortalUser,
  Seller,
} from '@cofre/proto/gateway/v1/gateway'
import { parseId } from './arguments'
import { runCommand } from './run-command'
import { readSecret } from './secret-input'
import { card, moment, table } from './table'
import type { Terminal } from './terminal'
import { UsageError } from './usage-error'

export function sellerCommand(terminal: Terminal): Command {
  const seller = new Command('seller')
    .description('sellers (merchants) of this deployment')
    .addHelpText('after', '\nExample:\n  cofrectl seller list')
  seller
    .command('create')
    .description('creates a seller')
    .requiredOption('--name <name>', 'the display name')
    .addHelpText('after', '\nExample:\n  cofrectl seller create --name "Loja Azul"')
    .action((options: { name: string }, command: Command) =>
      runCommand(terminal, command, async ({ admin, show }) => {
        const created = await admin.on('gateway')<Seller>('createSeller', { name: options.name })
        show(created, card(rowOf(created)))
      }),
    )
  seller
    .command('list')
    .description('lists all sellers')
    .addHelpText('after', '\nExample:\n  cofrectl seller list')
    .action((_options: object, command: Command) =>
      runCommand(terminal, command, async ({ admin, show }) => {
        const { sellers } = await admin.on('gateway')<ListSellersResponse>('listSellers', {})
        show(sellers, table(sellers.map(rowOf)))
      }),
    )
  seller
    .command('set')
    .description('sets how request bodies of a seller are read')
    .requiredOption('--seller <id>', 'the seller', parseId)
    .addOption(
      new Option(
        '--handling <how>',
        'of unknown members: strict refuses them; lenient ignores them, for an old integration (a misspelt amount then captures or refunds everything)',
      )
        .choices(['strict', 'lenient'])
        .makeOptionMandatory(),
    )
    .addHelpText('after', '\nExample:\n  cofrectl seller set --seller 9 --handling lenient')
    .action((options: { seller: number; handling: string }, command: Command) =>
      runCommand(terminal, command, async ({ admin, show }) => {
        const request = { sellerId: options.seller, lenient: options.handling === 'lenient' }
        const changed = await admin.on('gateway')<Seller>('setSeller', request)
        show(changed, card(rowOf(changed)))
      }),
    )
  return seller
}

function rowOf({ id, name, lenient, createdAt }: Seller) {
  return { id, name, handling: lenient ? 'lenient' : 'strict', created: moment(createdAt) }
}

export function userCommand(terminal: Terminal): Command {
  const user = new Command('user')
    .description('users who can sign in to a seller’s portal')
    .addHelpText('after', '\nExample:\n  cofrectl user list --seller 9')
  user
    .command('create')
    .description('creates a portal user; prompts for the password unless --password-file is given')
    .requiredOption('--seller <id>', 'the seller', parseId)
    .requiredOption('--email <address>', 'the e-mail address to sign in with')
    .option('--password-file <file>', 'file with the password; - reads standard input')
    .option('--role <role>', 'OWNER, OPERATOR, SALES, SUPPORT, BOOKKEEPER or READ_ONLY', 'OWNER')
    .addHelpText(
      'after',
      '\nExamples:\n  cofrectl user create --seller 9 --email ana@example.com\n  pass show portal | cofrectl user create --seller 9 --email ana@example.com',
    )
    .action(
      (options: { seller: number; email: string; passwordFile?: string; role: string }, command: Command) =>
        runCommand(terminal, command, async ({ admin, show }) => {
          const password = await readSecret(terminal, 'password', options.passwordFile)
          const request = { sellerId: options.seller, email: options.email, password, role: options.role }
          const created = await admin.on('gateway')<PortalUser>('createPortalUser', request)
          show(created, card(userRow(created)))
        }),
    )
  addUserList(user, terminal)
  addUserChanges(user, terminal)
  return user
}

type UserChange = { role?: string; disable?: true; enable?: true; resetTwoStep?: true }

function addUserChanges(user: Command, terminal: Terminal): void {
  user
    .command('set')
    .description(
      'changes a user’s role, or whether the user may sign in; a disabled user is signed out everywhere',
    )
    .argument('<id>', 'the user', parseId)
    .option('--role <role>', 'OWNER, OPERATOR, SALES, SUPPORT, BOOKKEEPER or READ_ONLY')
    .option('--disable', 'the user may not sign in any more')
    .option('--enable', 'the user may sign in again')
    .option('--reset-two-step', 'the user signs in with the password alone until a new app is set up')
    .addHelpText(
      'after',
      '\nExamples:\n  cofrectl user set 12 --role SUPPORT\n  cofrectl user set 12 --disable',
    )
    .action((id: number, options: UserChange, command: Command) =>
      runCommand(terminal, command, async ({ admin, show }) => {
        const { role, disable, enable, resetTwoStep } = options
        if (disable && enable) throw new UsageError('give --disable or --enable, not both')
        if (!role && !disable && !enable && !resetTwoStep) {
          throw new UsageError('give --role, --disable, --enable or --reset-two-step')
        }
        const request = {
          id,
          ...(role && { role }),
          ...((disable || enable) && { disabled: disable === true }),
          ...(resetTwoStep && { resetTwoSteps: true }),
        }
        const changed = await admin.on('gateway')<PortalUser>('setPortalUser', request)
        show(changed, card(userRow(changed)))
      }),
    )
  user
    .command('remove')
    .description('removes a user, who is signed out everywhere; what the user did stays in the audit')
    .argument('<id>', 'the user', parseId)
    .addHelpText('after', '\nExample:\n  cofrectl user remove 12')
    .action((id: number, _options: object, command: Command) =>
      runCommand(terminal, command, async ({ admin, show }) => {
        const removed = await admin.on('gateway')<PortalUser>('removePortalUser', { id })
        show(removed, card(userRow(removed)))
      }),
    )
  user
    .command('password-link')
    .description('makes a link by which a user chooses a new password, once, within a day')
    .argument('<id>', 'the user', parseId)
    .addHelpText('after', '\nExample:\n  cofrectl user password-link 12')
    .action((id: number, _options: object, command: Command) =>
      runCommand(terminal, command, async ({ admin, show }) => {
        const made = await admin.on('gateway')<MakePasswordLinkResponse>('makePasswordLink', { id })
        show(made, `${made.link}\n`)
      }),
    )
}

function addUserList(user: Command, terminal: Terminal): void {
  user
    .command('list')
    .description('lists portal users, the oldest first')
    .option('--seller <id>', 'of one seller only', parseId)
    .addHelpText('after', '\nExample:\n  cofrectl user list --seller 9')
    .action((options: { seller?: number }, command: Command) =>
      runCommand(terminal, command, async ({ admin, show }) => {
        const request = options.seller === undefined ? {} : { sellerId: options.seller }
        const answer = await admin.on('gateway')<ListPortalUsersResponse>('listPortalUsers', request)
        show(answer, table(answer.users.map(userRow)) + (answer.more ? 'There are more.\n' : ''))
      }),
    )
}

function userRow({ id, sellerId, email, role, status, createdAt }: PortalUser) {
  return { id, seller: sellerId, email, role, status, created: moment(createdAt) }
}
