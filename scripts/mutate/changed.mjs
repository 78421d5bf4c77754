import { execFileSync } from 'node:child_process'

/** Returns the lines of these files that differ from a commit, in Stryker's form: `file:from-to`. */
export function changedLines(commit, files) {
  // The whole difference, since Git sees that a file was moved only when it sees both of its places.
  const diff = execFileSync('git', ['diff', '-U0', '-M', '--no-color', '--no-ext-diff', commit], {
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
  })
  const wanted = new Set(files)
  const places = []
  let file = ''
  for (const line of diff.split('\n')) {
    const name = /^\+\+\+ b\/(.*)$/.exec(line)
    if (name) file = name[1]
    if (!wanted.has(file)) continue
    const hunk = /^@@ \S+ \+(\d+)(?:,(\d+))? @@/.exec(line)
    if (!hunk) continue
    const [from, count] = [Number(hunk[1]), Number(hunk[2] ?? 1)]
    if (count > 0) places.push(`${file}:${from}-${from + count - 1}`)
  }
  return places
}
