import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/**
 * An append-only file of JSON lines; of two lines with one key, the later one counts.
 * The operating system has a line before `append` returns, so the line survives the death of the process.
 */
export class Journal<T> {
  private file: number | undefined

  constructor(
    private readonly path: string,
    private readonly keyOf: (entry: T) => string,
  ) {}

  /** Opens the journal and returns its newest entries, the oldest key first. Rewrites the file with only these. */
  open(entriesMax: number): T[] {
    const newest = new Map<string, T>()
    for (const entry of this.read()) newest.set(this.keyOf(entry), entry)
    const kept = [...newest.values()].slice(-entriesMax)

    mkdirSync(join(this.path, '..'), { recursive: true })
    const draft = `${this.path}.draft`
    this.file = openSync(draft, 'w', 0o600)
    for (const entry of kept) this.append(entry)
    // The open file stays valid under its new name.
    renameSync(draft, this.path)
    return kept
  }

  append(entry: T): void {
    if (this.file === undefined) throw new Error('the journal is not open')
    const line = Buffer.from(`${JSON.stringify(entry)}\n`)
    for (let written = 0; written < line.length;) written += writeSync(this.file, line, written)
  }

  close(): void {
    if (this.file !== undefined) closeSync(this.file)
    this.file = undefined
  }

  private *read(): Generator<T> {
    if (!existsSync(this.path)) return
    const lines = readFileSync(this.path, 'utf8').split('\n')
    // The text after the last line end is a line that a sudden death cut: its call was never answered.
    lines.pop()
    for (const line of lines) {
      const entry: T = JSON.parse(line)
      yield entry
    }
  }
}
