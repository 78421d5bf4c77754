import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { System } from '../system'

const run = promisify(execFile)

const ENTITIES: Record<string, string> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&amp;': '&',
  '&#39;': "'",
}
const unescape = (html: string) => html.replace(/&(lt|gt|quot|amp|#39);/g, (entity) => ENTITIES[entity] ?? '')

/** Reads the manual of a running system, and runs its samples as readers would. `folder` keeps what they write. */
export function openManual(system: System, folder: string) {
  /** The code that a page shows, by the name of its block: the manual is tested as readers see it. */
  async function blocksOf(
    page: string,
    attribute: 'data-sample' | 'data-curl',
  ): Promise<Map<string, string>> {
    const html = await (await fetch(`${system.ready.baseUrl}/docs${page}`)).text()
    const found = html.matchAll(new RegExp(`${attribute}="([^"]+)"><code>([^]*?)</code>`, 'g'))
    return new Map([...found].map(([, name = '', text = '']) => [name, unescape(text)]))
  }

  async function sampleOf(page: string, name: string): Promise<string> {
    const text = (await blocksOf(page, 'data-sample')).get(name)
    if (text === undefined) throw new Error(`${page} shows no ${name}`)
    return text
  }

  function environment(): NodeJS.ProcessEnv {
    const { token, sellerId, sandboxUrl } = system.ready
    return { ...process.env, COFRE_TOKEN: token, COFRE_SELLER: String(sellerId), SANDBOX: sandboxUrl }
  }

  /** Runs a sample as if it were pasted into a shell. */
  async function paste(page: string, name: string, variables: Record<string, string> = {}): Promise<string> {
    const text = await sampleOf(page, name)
    const { stdout } = await run('bash', ['-ec', text], { env: { ...environment(), ...variables } })
    return stdout
  }

  /** Runs a sample for Node.js, then `use`, which prints JSON. */
  async function runInNode(page: string, name: string, use: string): Promise<any> {
    const file = join(folder, `used-${name}`)
    writeFileSync(file, `${await sampleOf(page, name)}\n${use}\n`)
    const { stdout } = await run(process.execPath, [file], { env: environment() })
    return JSON.parse(stdout)
  }

  return { blocksOf, sampleOf, environment, paste, runInNode }
}
