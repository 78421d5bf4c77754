import { readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { escapeHtml } from './prose'

const LANGUAGES: Readonly<Record<string, string>> = {
  '.sh': 'Shell',
  '.mjs': 'Node.js',
  '.py': 'Python',
  '.go': 'Go',
  '.ts': 'TypeScript',
  '.java': 'Java',
}

/** Shows a file of the folder as a block of code. Every {baseUrl} in it becomes the URL of this installation. */
export function createSamples(folder: string, baseUrl: string): (name: string) => string {
  return (name) => {
    const text = readFileSync(join(folder, name), 'utf8').replaceAll('{baseUrl}', baseUrl).trimEnd()
    const language = LANGUAGES[extname(name)] ?? ''
    return (
      `<figure class="sample"><figcaption>${language}</figcaption>` +
      `<pre tabindex="0" data-sample="${name}"><code>${escapeHtml(text)}</code></pre></figure>`
    )
  }
}
