// Deletes what was compiled from files that are gone: after a change of the version in place, nothing may run of the old one.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const { references } = JSON.parse(readFileSync('tsconfig.json', 'utf8'))
for (const { path } of references) {
  const [from, to] = [join(path, 'src'), join(path, 'dist')]
  if (!existsSync(from) || !existsSync(to)) continue
  for (const compiled of readdirSync(to, { recursive: true })) {
    const name = /^(.*?)(\.js|\.d\.ts)(\.map)?$/.exec(compiled)?.[1]
    if (name !== undefined && !existsSync(join(from, `${name}.ts`))) rmSync(join(to, compiled))
  }
}
