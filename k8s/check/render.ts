import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { parseAllDocuments } from 'yaml'
import type { Manifest } from './manifest'

const ROOT = join(__dirname, '../..')
export const CHART = join(ROOT, 'k8s/cofre')
export const VALUES = ['minimal', 'full', 'cert-manager'] as const
export type Values = (typeof VALUES)[number]

/** Returns the path of a tool that k8s/check/tools.sh finds or builds. */
export function toolPath(name: string): string | undefined {
  const tools = process.env['CHECK_TOOLS'] ?? join(ROOT, '.run/k8s-tools')
  const folders = [join(tools, 'bin'), ...(process.env['PATH'] ?? '').split(delimiter)]
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path))
}

/** Describes tests that need helm and perhaps other tools. Without one, they are reported as skipped. */
export function describeChart(name: string, tests: () => void, ...others: string[]): void {
  const missing = ['helm', ...others].filter((tool) => toolPath(tool) === undefined)
  if (missing.length === 0) return describe(name, tests)
  describe(`${name} (skipped: k8s/check/tools.sh builds ${missing.join(' and ')})`, () => {
    test.skip('needs its tools', () => {})
  })
}

const rendered = new Map<string, Manifest[]>()

/** Returns a copy of the chart's manifests for one of its sets of values, as release `cofre` in namespace `cofre`. */
export function render(values: Values, ...options: string[]): Manifest[] {
  const key = [values, ...options].join(' ')
  const manifests = rendered.get(key) ?? renderAnew(values, options)
  rendered.set(key, manifests)
  return structuredClone(manifests)
}

function renderAnew(values: Values, options: string[]): Manifest[] {
  const file = join(CHART, 'ci', `${values}.yaml`)
  const args = ['template', 'cofre', CHART, '-n', 'cofre', '--kube-version', '1.34.0', '-f', file, ...options]
  const text = execFileSync(toolPath('helm') ?? 'helm', args, {
    encoding: 'utf8',
    maxBuffer: 64 << 20,
    stdio: 'pipe',
  })
  return parseAllDocuments(text, { version: '1.1' }).flatMap((document) => {
    const manifest = document.toJS() as Manifest | null
    return manifest ? [manifest] : []
  })
}

/** Returns helm's reason for refusing these values; undefined when it accepts them. */
export function refusal(values: Values, ...options: string[]): string | undefined {
  try {
    render(values, ...options)
    return undefined
  } catch (error) {
    return String((error as { stderr?: unknown }).stderr)
  }
}
