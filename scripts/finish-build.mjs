// Runs after the compiler. It deletes compiled files without a source, so that nothing of an older version runs here.
// It makes our command executable, which npm does only for files that exist when it installs.
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const read = (file) => JSON.parse(readFileSync(file, 'utf8'))

for (const { path } of read('tsconfig.json').references) {
  const [from, to] = [join(path, 'src'), join(path, 'dist')]
  if (!existsSync(from) || !existsSync(to)) continue
  for (const compiled of readdirSync(to, { recursive: true })) {
    const name = /^(.*?)(\.js|\.d\.ts)(\.map)?$/.exec(compiled)?.[1]
    if (name !== undefined && !existsSync(join(from, `${name}.ts`))) rmSync(join(to, compiled))
  }
}
for (const command of Object.values(read('package.json').bin)) chmodSync(command, 0o755)
