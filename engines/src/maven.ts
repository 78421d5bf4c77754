import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

const COPY = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies'
const JAVA_AT_LEAST = 17

/** Maven did not get what a pom.xml asks for, mostly because its registry did not answer. */
export class NotFetched extends Error {}

/** Returns the folder for the jars of a pom.xml; its name changes with the pom. */
export function jarsFolder(pom: string, enginesDir: string): string {
  const digest = createHash('sha256').update(readFileSync(pom)).digest('hex').slice(0, 8)
  return join(enginesDir, `${basename(dirname(pom))}-${digest}`)
}

/** Fetches missing jars, all or nothing, or throws NotFetched. Maven checks the checksum of each file (`-C`). */
export async function fetchJars(pom: string, folder: string): Promise<void> {
  if (existsSync(folder)) return
  requireProgram('mvn', 'Apache Maven')
  const unfinished = `${folder}.new`
  rmSync(unfinished, { recursive: true, force: true })
  mkdirSync(unfinished, { recursive: true })
  const flags = ['-B', '-q', '-C', '-f', pom, COPY, '-DincludeScope=runtime']
  const maven = spawn('mvn', [...flags, `-DoutputDirectory=${unfinished}`], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const words: string[] = []
  for (const output of [maven.stdout, maven.stderr]) output.on('data', (chunk) => words.push(String(chunk)))
  const [code] = await once(maven, 'close')
  if (code !== 0)
    throw new NotFetched(`Maven could not fetch ${basename(dirname(pom))}: ${words.join('').trim()}`)
  renameSync(unfinished, folder)
}

/** Returns the `java` of JAVA_HOME or of the PATH when it is new enough; otherwise the reason against it. */
export function findJava(): { java: string } | { missing: string } {
  const java = process.env['JAVA_HOME'] ? join(process.env['JAVA_HOME'], 'bin', 'java') : 'java'
  const { stderr, error } = spawnSync(java, ['-version'], { encoding: 'utf8' })
  const version = error ? undefined : /version "(\d+)/.exec(stderr)?.[1]
  if (version !== undefined && Number(version) >= JAVA_AT_LEAST) return { java }
  return { missing: `Java ${JAVA_AT_LEAST} or newer${version === undefined ? '' : `, not ${version}`}` }
}

function requireProgram(command: string, name: string): void {
  const { error } = spawnSync(command, ['--version'])
  if (error) throw new Error(`${name} is needed to fetch the engines: ${command} is not on the PATH.`)
}
