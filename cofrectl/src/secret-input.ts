import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import type { Terminal } from './terminal'
import { UsageError } from './usage-error'

const SECRET_BYTES_MAX = 4_096

/** Reads a secret from a file, standard input (`-`) or a prompt; never from the command line, which others can read. */
export async function readSecret(
  terminal: Terminal,
  name: string,
  file: string | undefined,
): Promise<string> {
  const text = await readText(terminal, name, file)
  const secret = text.replace(/\r?\n$/, '')
  if (secret === '') throw new UsageError(`The ${name} is empty.`)
  return secret
}

async function readText(terminal: Terminal, name: string, file: string | undefined): Promise<string> {
  if (file !== undefined && file !== '-') {
    return readFile(file, 'utf8').catch(() => {
      throw new UsageError(`${file} cannot be read.`)
    })
  }
  return terminal.input.isTTY ? ask(terminal, name) : readAll(terminal.input)
}

async function readAll(input: AsyncIterable<Buffer | string>): Promise<string> {
  let text = ''
  for await (const chunk of input) {
    text += chunk.toString()
    if (text.length > SECRET_BYTES_MAX) throw new UsageError('The secret is too long.')
  }
  return text
}

/** Prompts twice, without showing the typed text. */
async function ask({ input, errors }: Terminal, name: string): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input, output: nowhere, terminal: true })
  const question = async (text: string) => {
    errors.write(text)
    const answer = await lines.question('')
    errors.write('\n')
    return answer
  }
  try {
    const first = await question(`${name}: `)
    if (first !== (await question(`${name} again: `))) throw new UsageError('The two entries do not match.')
    return first
  } finally {
    lines.close()
  }
}
