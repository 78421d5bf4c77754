import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { startEngine, type Engine, type EngineProgram } from './engine'
import { ENGINES_DIR } from './engines-folder'
import { fetchJars, findJava, jarsFolder } from './maven'
import { findSecantus, SECANTUS_VERSION } from './secantus'

const POM = join(__dirname, '../mongodb/pom.xml')
const MAIN = join(__dirname, '../mongodb/MongoServerMain.java')
const VERSION = '1.47.0'

/** Fetches mongo-java-server when it is absent. */
export async function fetchMongo(): Promise<void> {
  await fetchJars(POM, jarsFolder(POM, ENGINES_DIR))
}

/** Returns the reason why no server with MongoDB's protocol can be started here, or undefined. */
export function missingForMongo(): string | undefined {
  if (findSecantus() !== undefined) return undefined
  const found = findJava()
  if ('missing' in found) return `${found.missing} is missing`
  if (!existsSync(jarsFolder(POM, ENGINES_DIR))) return 'mongo-java-server is not fetched (npm run engines)'
  return undefined
}

/**
 * Starts a server with MongoDB's protocol and its data in `dir`, made when absent. It prefers the durable one, if
 * built, to the one in Java, which may lose its last moments when killed. `durable` requires the durable one.
 */
export async function startMongo(
  { dir, port, durable = false }: { dir: string; port: number; durable?: boolean },
  life: { stays?: boolean } = {},
): Promise<Engine> {
  mkdirSync(dir, { recursive: true })
  const program = secantus(dir, port) ?? (durable ? undefined : mongoJavaServer(dir, port))
  if (!program) throw new Error('No durable server is built: npm run engines -- --durable')
  const url = `mongodb://127.0.0.1:${port}/`
  return startEngine({ ...program, url, port, dir, logFile: join(dir, 'mongodb.log') }, life)
}

type Started = Pick<EngineProgram, 'name' | 'version' | 'command' | 'args'>

function mongoJavaServer(dir: string, port: number): Started {
  const found = findJava()
  if ('missing' in found) throw new Error(`mongo-java-server needs ${found.missing}.`)
  const flags = ['-Xmx256m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1']
  const classPath = ['-cp', join(jarsFolder(POM, ENGINES_DIR), '*')]
  return {
    name: 'mongo-java-server (MongoDB protocol)',
    version: VERSION,
    command: found.java,
    args: [...flags, ...classPath, MAIN, String(port), join(dir, 'data.mv')],
  }
}

/** With `--sync-on-commit`, acknowledged writes survive kill -9. */
function secantus(dir: string, port: number): Started | undefined {
  const command = findSecantus()
  if (command === undefined) return undefined
  const size = ['--cache-size', '256M', '--log-file-max', '10MB']
  return {
    name: 'SecantusDB (MongoDB protocol)',
    version: SECANTUS_VERSION,
    command,
    args: ['--port', String(port), '--storage-path', join(dir, 'data'), ...size, '--sync-on-commit'],
  }
}
