import { createTurns } from '../../src/http/turns'

test('two of a caller run at once, the others in order, and another caller waits for none of them', async () => {
  const turns = createTurns(2)
  const begun: string[] = []
  const begin = async (caller: string, name: string) => {
    const end = await turns(caller)
    begun.push(name)
    return end
  }
  const [first, second] = [await begin('a', 'a1'), await begin('a', 'a2')]
  const [third, fourth] = [begin('a', 'a3'), begin('a', 'a4')]
  await begin('b', 'b1')
  expect(begun).toEqual(['a1', 'a2', 'b1'])
  second()
  second()
  const endThird = await third
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3'])
  first()
  const endFourth = await fourth
  endThird()
  endFourth()
  const [fifth, sixth] = [await begin('a', 'a5'), await begin('a', 'a6')]
  expect(begun.slice(-2)).toEqual(['a5', 'a6'])
  fifth()
  sixth()
})
