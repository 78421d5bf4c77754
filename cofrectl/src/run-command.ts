import type { Command } from 'commander'
import { openAdmin, type Admin } from './admin-client'
import { readConnection, type ConnectionFlags } from './connection'
import type { Terminal } from './terminal'

/** The tools that a subcommand works with. */
export type Context = {
  terminal: Terminal
  admin: Admin
  /** Shows the answer: as JSON with --json, otherwise as text. */
  show(answer: unknown, words: string): void
}

/** Runs a subcommand with a connection that is closed afterwards. */
export async function runCommand(
  terminal: Terminal,
  command: Command,
  work: (context: Context) => Promise<void>,
): Promise<void> {
  const flags = command.optsWithGlobals<ConnectionFlags & { json?: boolean }>()
  const admin = openAdmin(readConnection(flags, terminal.env, terminal.cwd))
  const show = (answer: unknown, words: string) => {
    terminal.output.write(flags.json ? `${JSON.stringify(answer)}\n` : words)
  }
  try {
    await work({ terminal, admin, show })
  } finally {
    admin.close()
  }
}
