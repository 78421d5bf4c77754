import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/**
 * A file of JSON lines that is only appended to; of two lines with one key, the later holds.
 * A line is with the operating system before `append` returns, so it survives the death of the process.
 */
export class Journal<T> {
  private file: number | undefined

  constructor(
    private readonly path: string,
    private readonly keyOf: (entry: T) => string,
  ) {}

  /** Opens the journal and answers its newest entries, the oldest key first. The file is rewritten with only these. */
  open(entriesMax: number): T[] {
    const newest = new Map<string, T>()
    for (const entry of this.read()) newest.set(this.keyOf(entry), entry)
    const kept = [...newest.values()].slice(-entriesMax)

    mkdirSync(join(this.path, '..'), { recursive: true })
    const draft = `${this.path}.draft`
    this.file = openSync(draft, 'w', 0o600)
    for (const entry of kept) this.append(entry)
    // The open file keeps its place under the new name.
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
    // What follows the last line end is a line that a sudden death cut: its call was never answered.
    lines.pop()
    for (const line of lines) {
      const entry: T = JSON.parse(line)
      yield entry
    }
  }
}
