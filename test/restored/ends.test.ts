import { endAll, started, type Ends } from './ends'

test('started programs are stopped, the last first, even when the next start failed', async () => {
  const ends: Ends = []
  const stopped: string[] = []
  const start = (name: string) => started(ends, Promise.resolve(name), (one) => stopped.push(one))
  await start('database')
  await start('log')
  const failing = started(ends, Promise.reject(new Error('no')), () => stopped.push('product'))
  await expect(failing).rejects.toThrow('no')

  await endAll(ends)
  expect(stopped).toEqual(['log', 'database'])
  await endAll(ends)
  expect(stopped).toHaveLength(2)
})

test('a program that is still starting is stopped once it has started', async () => {
  const ends: Ends = []
  const stopped: string[] = []
  let hasStarted: ((name: string) => void) | undefined
  const starting = new Promise<string>((resolve) => (hasStarted = resolve))
  void started(ends, starting, (one) => stopped.push(one))
  const ended = endAll(ends)
  hasStarted?.('slow')
  await ended
  expect(stopped).toEqual(['slow'])
})

test('a program that fails to stop is reported, and the others stop all the same', async () => {
  const stopped: string[] = []
  const fail = () => {
    throw new Error('it hangs')
  }
  await expect(endAll([() => stopped.push('first'), fail])).rejects.toThrow('it hangs')
  expect(stopped).toEqual(['first'])
})
