import { beginningOf, nextPageOf } from '../../src/portal/desk/next-page'

const linked = (query: string) => ({
  status: 200,
  headers: {
    Link: `<https://pay.example.com/api/v2/charges?page=0>; rel="first", <https://pay.example.com/api/v2/charges?${query}>; rel="next"`,
  },
})

test('a page of the portal goes on where the next page of the API begins', () => {
  expect(nextPageOf(linked('page=1&size=25&after=7&place=1795985514655001'))).toEqual({
    after: '7',
    place: '1795985514655001',
  })
  expect(nextPageOf(linked('page=1&after=7'))).toEqual({ after: '7' })
  expect(
    nextPageOf({ status: 200, headers: { Link: '<https://pay.example.com/?page=0>; rel="first"' } }),
  ).toBe(undefined)
})

test('an address that names no entry begins nowhere', () => {
  const read = (query: string) => {
    const given = new URLSearchParams(query)
    return beginningOf((name) => given.get(name) ?? '')
  }
  expect(read('after=7&place=12')).toEqual({ after: '7', place: '12' })
  expect(read('after=7')).toEqual({ after: '7' })
  expect(read('place=12')).toEqual({})
  expect(read('after=7&place=soon')).toEqual({ after: '7' })
  expect(read('after=soon&place=12')).toEqual({})
})
