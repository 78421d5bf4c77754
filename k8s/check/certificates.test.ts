import { connect, createServer, type TLSSocket } from 'node:tls'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { describeChart, render } from './render'
import type { Manifest } from './manifest'

type Pair = { ca: string; cert: string; key: string }

function pairOf(manifests: readonly Manifest[], service: string): Pair {
  const { data = {} } =
    manifests.find(({ kind, metadata }) => kind === 'Secret' && metadata.name === `cofre-${service}-tls`) ??
    {}
  const text = (entry: string) => Buffer.from(data[entry] ?? '', 'base64').toString()
  return { ca: text('ca.crt'), cert: text('tls.crt'), key: text('tls.key') }
}

/** Resolves with the identities that both sides see when `client` calls `host`, where `server` listens. */
async function handshake(
  server: Pair,
  client: Pair,
  host: string,
): Promise<{ server: string; client: string }> {
  const listening = createServer({ ...server, requestCert: true, rejectUnauthorized: true }).listen(
    0,
    '127.0.0.1',
  )
  await once(listening, 'listening')
  try {
    const { port } = listening.address() as AddressInfo
    const accepted = once(listening, 'secureConnection')
    const calling = connect({ ...client, port, host: '127.0.0.1', servername: host })
    await once(calling, 'secureConnect')
    const [socket] = (await accepted) as [TLSSocket]
    const names = {
      server: String(calling.getPeerCertificate().subject.CN),
      client: socket.getPeerCertificate().subjectaltname?.split(', ')[0] ?? '',
    }
    calling.destroy()
    return names
  } finally {
    listening.close()
  }
}

describeChart('certificates made by the chart', () => {
  let manifests: Manifest[]
  let orders: Pair
  let vault: Pair
  beforeAll(() => {
    manifests = render('full')
    orders = pairOf(manifests, 'orders')
    vault = pairOf(manifests, 'vault')
  })

  test.each(['cofre-vault.card-vault.svc.cluster.local', 'cofre-vault.card-vault.svc', 'localhost'])(
    'prove both sides to each other under %s',
    async (host) => {
      expect(await handshake(vault, orders, host)).toEqual({ server: 'vault', client: 'DNS:orders' })
    },
  )

  test('are not accepted for another service', async () => {
    await expect(handshake(orders, vault, 'cofre-vault.card-vault.svc.cluster.local')).rejects.toThrow(
      /does not match certificate's altnames/,
    )
  })

  test('are not accepted by another installation', async () => {
    const elsewhere = pairOf(render('full', '--set', 'certificates.generated.renewal=other'), 'vault')
    await expect(handshake(elsewhere, orders, 'localhost')).rejects.toThrow(/certificate/)
  })

  test('put the key of the authority into one Secret, in the namespace of the vault', () => {
    const keys = manifests.filter(({ data }) => data !== undefined && 'ca.key' in data)
    expect(keys.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`)).toEqual([
      'card-vault/cofre-authority',
    ])
  })
})
