import { dirname, join } from 'node:path'
import { loadSync } from '@grpc/proto-loader'
import { Client, type MethodDefinition } from '@grpc/grpc-js'
import { IdempotencyService } from '@cofre/proto/idempotency/v1/idempotency'
import { createTestTls } from '@cofre/testing/testing'
import { startGrpcServer, type GrpcServer } from '../src/grpc/server'
import { clientCredentials } from '../src/grpc/tls'

/** The contract of reflection as the library publishes it. */
const CONTRACTS = join(dirname(require.resolve('@grpc/reflection')), '../proto/grpc/reflection')

let server: GrpcServer
let client: Client
beforeAll(async () => {
  const tls = await createTestTls()
  const options = { host: '127.0.0.1', port: 0, tls: await tls.tlsFor('orders') }
  const service = { definition: IdempotencyService, callers: {}, implementation: { findRequest: () => {} } }
  server = await startGrpcServer(options, [service])
  client = new Client(`127.0.0.1:${server.port}`, clientCredentials(await tls.tlsFor('gateway')))
})
afterAll(async () => {
  client.close()
  await server.close()
})

type Answer = {
  listServicesResponse?: { service: { name: string }[] }
  fileDescriptorResponse?: { fileDescriptorProto: Uint8Array[] }
}

function ask(version: string, questions: readonly object[]): Promise<Answer[]> {
  const contract = loadSync(join(CONTRACTS, version, 'reflection.proto'))
  const service = contract[`grpc.reflection.${version}.ServerReflection`] as Record<
    string,
    MethodDefinition<object, Answer>
  >
  const method = service['ServerReflectionInfo']
  if (!method) throw new Error('the contract has no such RPC')
  const stream = client.makeBidiStreamRequest(
    method.path,
    method.requestSerialize,
    method.responseDeserialize,
  )
  const answers: Answer[] = []
  return new Promise((resolve, reject) => {
    stream.on('data', (answer: Answer) => answers.push(answer))
    stream.on('error', reject)
    stream.on('end', () => resolve(answers))
    for (const question of questions) stream.write(question)
    stream.end()
  })
}

test.each(['v1', 'v1alpha'])('a running service describes its gRPC services (%s)', async (version) => {
  const name = 'idempotency.v1.Idempotency'
  const [list, file] = await ask(version, [{ listServices: '' }, { fileContainingSymbol: name }])
  expect(list?.listServicesResponse?.service.map((each) => each.name)).toContain(name)
  const [described] = file?.fileDescriptorResponse?.fileDescriptorProto ?? []
  expect(Buffer.from(described ?? []).toString('latin1')).toContain('FindRequest')
})
