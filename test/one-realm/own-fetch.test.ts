import { Agent, getGlobalDispatcher } from 'undici'

test('a file that loads undici does not provide the fetch of the files after it', () => {
  expect(getGlobalDispatcher()).not.toBeInstanceOf(Agent)
})
