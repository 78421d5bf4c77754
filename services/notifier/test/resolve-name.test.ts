import { outboundSetting } from '@cofre/platform/outbound/outbound-guard'
import { createHttpSender } from '../src/deliveries/http-sender'
import { createResolveName } from '../src/deliveries/resolve-name'
import { startNameServer } from '@cofre/testing/name-server'
import { startReceiver } from './support/receiver'

let names: Awaited<ReturnType<typeof startNameServer>>
beforeAll(async () => {
  names = await startNameServer({ 'quick.example': '127.0.0.1', 'inside.example': '10.0.0.1' }, /^slow/)
})
afterAll(() => names.close())
beforeEach(() => void (names.asked.length = 0))

test('a name has the addresses that the name servers say', async () => {
  const resolve = createResolveName([names.address])
  expect(await resolve('quick.example')).toEqual([{ address: '127.0.0.1', family: 4 }])
})

test('the name servers are asked once, however many messages go to a name', async () => {
  const resolve = createResolveName([names.address])
  await Promise.all(Array.from({ length: 50 }, () => resolve('quick.example')))
  await resolve('quick.example')
  // Once for IPv4 and once for IPv6.
  expect(names.asked).toEqual(['quick.example', 'quick.example'])
})

test('a name that could not be found is asked for again', async () => {
  const resolve = createResolveName([names.address])
  await expect(resolve('nobody.example')).rejects.toThrow()
  const before = names.asked.length
  await expect(resolve('nobody.example')).rejects.toThrow()
  expect(names.asked.length).toBe(2 * before)
})

test('an address resolves to itself, and no name server is asked', async () => {
  const resolve = createResolveName([names.address])
  expect(await resolve('127.0.0.1')).toEqual([{ address: '127.0.0.1', family: 4 }])
  expect(await resolve('::1')).toEqual([{ address: '::1', family: 6 }])
  expect(names.asked).toEqual([])
})

test('a name that the name servers do not know may be in the hosts file', async () => {
  const resolve = createResolveName([names.address])
  const found = await resolve('localhost')
  expect(['127.0.0.1', '::1']).toContain(found[0]?.address)
})

test('names whose servers do not answer, however many, hold up no other name', async () => {
  const receiver = await startReceiver()
  const resolve = createResolveName([names.address])
  const sender = createHttpSender({
    allowed: outboundSetting.parse('127.0.0.0/8'),
    timeoutMs: 1_500,
    resolve,
  })
  const post = (host: string) =>
    sender.send({ url: `http://${host}:${receiver.port}/`, headers: {}, body: '' })
  let slowOnes = 0
  const slow = Array.from({ length: 40 }, async (_, index) => {
    const outcome = await post(`slow${index}.example`)
    slowOnes += 1
    return outcome
  })
  expect(await post('quick.example')).toMatchObject({ status: 200 })
  expect(await post('inside.example')).toEqual({ error: 'refused_address' })
  expect(slowOnes).toBe(0)
  for (const outcome of await Promise.all(slow)) expect(outcome).toEqual({ error: 'timeout' })
  await receiver.close()
})
