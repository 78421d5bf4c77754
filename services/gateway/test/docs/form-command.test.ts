import { startGateway, type Gateway } from '../support/gateway'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.stop())

test('the command of an operation that takes a file sends a form, its file last', async () => {
  const html = await (await fetch(`${gateway.url}/docs/reference/disputes`)).text()
  const [, command = ''] = /data-curl="submitDisputeEvidence"><code>([^]*?)<\/code>/.exec(html) ?? []
  expect(command).not.toContain('application/json')
  const fields = [...command.matchAll(/-F (?:&#39;|&quot;)(\w+)=/g)].map(([, name]) => name)
  expect(fields).toEqual(['reason', 'answeredBy', 'file'])
})
