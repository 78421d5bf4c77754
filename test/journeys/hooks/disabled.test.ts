import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { eventually } from '@cofre/testing/testing'
import { authorize, discard, startSystem, type System } from '../system'

let system: System
let gone: Server
beforeAll(async () => {
  system = await startSystem()
  gone = createServer((_request, response) => void response.writeHead(410).end())
  await new Promise<void>((resolve) => gone.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  gone.close()
  await discard(system)
})

type Mail = { subject: string; text: string; html: string }

test('the users of a seller whose endpoint is gone get one e-mail with a link to its page', async () => {
  const { email } = system.ready.portal
  const url = `http://127.0.0.1:${(gone.address() as AddressInfo).port}/hooks`
  const { body: endpoint } = await system.api('POST', '/api/v2/webhooks/endpoints', { body: { url } })
  await authorize(system, 1)
  const mails = async () =>
    ((await system.sandbox('GET', `/mailbox?to=${email}`)) as Mail[]).filter(({ text }) => text.includes(url))
  await eventually(async () => expect(await mails()).toHaveLength(1))
  // Both services restart, and nobody gets a second e-mail.
  await system.stopService('gateway')
  await system.stopService('invoices')
  system.startService('invoices')
  system.startService('gateway')
  await eventually(async () => {
    const { body } = await system.api('GET', `/api/v2/webhooks/endpoints/${endpoint.id}`)
    expect(body.status).toBe('DISABLED')
  })
  const [mail, ...others] = await mails()
  expect(others).toEqual([])
  const page = `${system.ready.baseUrl}/portal/endpoints/${endpoint.id}`
  expect(mail?.text).toContain(page)
  expect(mail?.html).toContain(page)
})
