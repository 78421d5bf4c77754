import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const PAGE = readFileSync(join(__dirname, '../../docs/operations.md'), 'utf8')
/** The address of Kafka on the page. */
const BROKER = 'kafka-0.example.com:9093'

/** The one block of code of docs/operations.md that has these words. */
export function blockWith(words: string): string {
  const blocks = [...PAGE.matchAll(/^ *```\w+\n(.*?)^ *```$/gms)].map(([, text = '']) => text)
  const [found, ...others] = blocks.filter((block) => block.includes(words))
  if (found === undefined || others.length > 0) throw new Error(`not one block of the page has: ${words}`)
  return found
}

/** The settings of a block of a PostgreSQL configuration file. */
export function settingsIn(block: string): Record<string, string> {
  const lines = [...block.matchAll(/^ *(\w+) = '?(.*?)'?$/gm)]
  return Object.fromEntries(lines.map(([, name = '', value = '']) => [name, value]))
}

/** Where the commands of the page run: the folder, and the values that differ from the page. */
export type Desk = { dir: string; tools: string; broker: string; variables: Record<string, string> }

/** Runs commands of the page; returns their output. Throws their output and errors when one fails. */
export async function runCommands(desk: Desk, commands: string): Promise<string> {
  const { dir, tools, broker, variables } = desk
  const script = commands.replaceAll(BROKER, broker)
  const shell = spawn('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: dir,
    env: { ...process.env, ...variables, PATH: `${tools}${delimiter}${process.env['PATH']}` },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [said, told]: [string[], string[]] = [[], []]
  shell.stdout.on('data', (chunk: Buffer) => said.push(chunk.toString()))
  shell.stderr.on('data', (chunk: Buffer) => told.push(chunk.toString()))
  const [code] = await once(shell, 'close')
  if (code !== 0) throw new Error(`exit code ${code}: ${said.join('')}${told.join('')}`)
  return said.join('')
}
