import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { ReflectionService } from '@grpc/reflection'
import type { ServiceDefinition } from '@grpc/grpc-js'
import { loadSync } from '@grpc/proto-loader'

/** Where the .proto files are, for what reads them at run time. */
export const PROTO_DIR = join(__dirname, '../../../../proto')

/** Lets `grpcurl` and its like ask a running service what it serves. */
export function reflectionOf(definitions: readonly ServiceDefinition[]): ReflectionService {
  const paths = definitions.flatMap((definition) => Object.values(definition).map((method) => method.path))
  const services = [...new Set(paths.map((path) => path.split('/')[1] ?? ''))]
  const folders = [...new Set(services.map((name) => name.split('.').slice(0, -1).join('/')))]
  const files = folders.flatMap((folder) =>
    readdirSync(join(PROTO_DIR, folder)).map((file) => relative(PROTO_DIR, join(PROTO_DIR, folder, file))),
  )
  return new ReflectionService(loadSync(files, { includeDirs: [PROTO_DIR] }), { services })
}
