import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { freePorts } from '@cofre/engines/ports'
import { openPartner } from '../../src/outbound/partner-call'
import { serveMetrics } from '../../src/telemetry/serve-metrics'

test('calls to partners are told apart by partner, route and class of the answer', async () => {
  const [port = 0] = await freePorts(1)
  const served = await serveMetrics({ 'service.name': 'test' }, { host: '127.0.0.1', port })
  const server = createServer((request, response) =>
    response.writeHead(request.method === 'GET' ? 404 : 502).end(),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const bank = openPartner(url, { name: 'bank' })
  await bank.call({ method: 'GET', path: '/cob/1', route: 'GET /cob/{id}', timeoutMs: 5_000 })
  await bank.call({ method: 'PUT', path: '/cob/1', timeoutMs: 5_000 })
  server.close()
  await bank.close()
  await bank.call({ method: 'PUT', path: '/cob/1', timeoutMs: 5_000 })
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  const counted = [...text.matchAll(/^partner_call_duration_seconds_count{(.*)} (\d+)$/gm)].map(
    ([, labels = '', times]) => {
      const label = (name: string) => new RegExp(`${name}="([^"]*)"`).exec(labels)?.[1]
      return [...['partner', 'route', 'outcome', 'status'].map(label), times]
    },
  )
  expect(counted).toEqual([
    ['bank', 'GET /cob/{id}', 'answered', '4xx', '1'],
    ['bank', 'PUT', 'failed', '5xx', '1'],
    ['bank', 'PUT', 'unknown', '', '1'],
  ])
  await served.shutdown()
})
