import { requireJson } from '../../src/http/body/media-type'

const fault = (headers: Record<string, string>) => {
  try {
    requireJson({ headers })
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

test.each([
  'application/json',
  'Application/JSON',
  'application/json;charset=UTF-8',
  'application/json; charset=utf8',
  'application/json; charset="utf-8"',
  'application/json;',
  'application/json; ',
  'application/json ;charset=utf-8',
  'application/json; version=1',
  'application/json; odata=verbose; charset=utf-8',
  'application/json; q="a;b"',
])('a body of type %s is accepted', (type) => {
  expect(fault({ 'content-type': type })).toBeUndefined()
})

test.each(['identity', 'Identity', 'IDENTITY', ' identity ', 'identity, identity', ''])(
  'the coding %j changes nothing',
  (coding) => {
    expect(fault({ 'content-type': 'application/json', 'content-encoding': coding })).toBeUndefined()
  },
)

test.each([
  [{ 'content-type': 'application/json', 'content-encoding': 'gzip' }, 'without Content-Encoding'],
  [{ 'content-type': 'application/json', 'content-encoding': 'identity, br' }, 'without Content-Encoding'],
  [{}, 'Content-Type is missing'],
  [{ 'content-type': 'text/plain' }, 'is not application/json'],
  [{ 'content-type': 'application/jsonp' }, 'is not application/json'],
  [{ 'content-type': 'json' }, 'is not application/json'],
  [{ 'content-type': 'application/json; charset=iso-8859-1' }, 'is not UTF-8'],
  [{ 'content-type': 'application/json; odata=verbose; charset=latin1' }, 'is not UTF-8'],
])('%j is refused: the words name what is wrong with it', (headers, words) => {
  expect(fault(headers)).toContain(words)
})
