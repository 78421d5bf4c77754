import { freePorts } from '@cofre/engines/ports'
import { count, observe } from '../../src/telemetry/metrics'
import { serveMetrics } from '../../src/telemetry/serve-metrics'

test('a value that can’t be read any more is not the last one that was', async () => {
  const [port = 0] = await freePorts(1)
  const served = await serveMetrics({ 'service.name': 'test' }, { host: '127.0.0.1', port })
  let age: number | undefined = 7
  observe('oldest_age_seconds', 'An age.', () => {
    if (age === undefined) throw new Error('the database is away')
    return age
  })
  count('things_done', 'Things.')
  const scrape = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  expect(await scrape()).toMatch(/^oldest_age_seconds{.*} 7$/m)
  age = undefined
  const text = await scrape()
  expect(text).toMatch(/^oldest_age_seconds{.*} NaN$/m)
  expect(text).toMatch(/^things_done_total{.*} 1$/m)
  age = 8
  expect(await scrape()).toMatch(/^oldest_age_seconds{.*} 8$/m)
  await served.shutdown()
})
