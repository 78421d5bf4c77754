import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, relative } from 'node:path'
import type {
  handleBidiStreamingCall,
  MethodDefinition,
  Server,
  ServiceDefinition,
  UntypedServiceImplementation,
} from '@grpc/grpc-js'
import type * as ProtoLoader from '@grpc/proto-loader'
import type * as Reflection from '@grpc/reflection'

/** The folder of the .proto files, for code that reads them at run time. */
export const PROTO_DIR = join(__dirname, '../../../../proto')

/** The one RPC of each published version of gRPC server reflection. */
const PATHS = ['v1', 'v1alpha'].map(
  (version) => `/grpc.reflection.${version}.ServerReflection/ServerReflectionInfo`,
)

type Reflecting = {
  definition: MethodDefinition<unknown, unknown>
  answer: handleBidiStreamingCall<unknown, unknown>
}

/**
 * Lets `grpcurl` and its like ask a running service which RPCs it serves. The .proto files are read at the first
 * question, because reading them takes a quarter of a service's start.
 */
export function addReflection(server: Server, definitions: readonly ServiceDefinition[]): void {
  let opened: ReadonlyMap<string, Reflecting> | undefined
  for (const path of PATHS) {
    const real = (): Reflecting => {
      opened ??= openReflection(definitions)
      const reflecting = opened.get(path)
      if (!reflecting) throw new Error(`the library serves no ${path}`)
      return reflecting
    }
    const definition: MethodDefinition<unknown, unknown> = {
      path,
      requestStream: true,
      responseStream: true,
      requestSerialize: (request) => real().definition.requestSerialize(request),
      requestDeserialize: (bytes) => real().definition.requestDeserialize(bytes),
      responseSerialize: (response) => real().definition.responseSerialize(response),
      responseDeserialize: (bytes) => real().definition.responseDeserialize(bytes),
    }
    const answer: Reflecting['answer'] = (stream) => real().answer(stream)
    server.addService({ serverReflectionInfo: definition }, { serverReflectionInfo: answer })
  }
}

/** The RPCs of the reflection library, by path. */
function openReflection(definitions: readonly ServiceDefinition[]): ReadonlyMap<string, Reflecting> {
  const load = createRequire(__filename)
  const { ReflectionService } = load('@grpc/reflection') as typeof Reflection
  const { loadSync } = load('@grpc/proto-loader') as typeof ProtoLoader
  const paths = definitions.flatMap((definition) => Object.values(definition).map((method) => method.path))
  const services = [...new Set(paths.map((path) => path.split('/')[1] ?? ''))]
  const folders = [...new Set(services.map((name) => name.split('.').slice(0, -1).join('/')))]
  const files = folders.flatMap((folder) =>
    readdirSync(join(PROTO_DIR, folder)).map((file) => relative(PROTO_DIR, join(PROTO_DIR, folder, file))),
  )
  const served = new Map<string, Reflecting>()
  const addService = (definition: ServiceDefinition, implementation: UntypedServiceImplementation) => {
    for (const [name, method] of Object.entries(definition)) {
      const answer = implementation[name] as Reflecting['answer']
      served.set(method.path, { definition: method, answer })
    }
  }
  const reflection = new ReflectionService(loadSync(files, { includeDirs: [PROTO_DIR] }), { services })
  reflection.addToServer({ addService })
  return served
}
