import { isDone, isRefused, readJson, withoutZeros } from '../../src/outbound/partner-answers'
import { z } from 'zod'

test('a status is done, refused, or proves nothing', () => {
  expect([200, 201, 299].every(isDone)).toBe(true)
  expect([199, 300, 404, 500].some(isDone)).toBe(false)
  expect([400, 404, 409, 422, 499].every(isRefused)).toBe(true)
  // 408: the partner's own wait timed out.
  expect([200, 302, 399, 408, 500, 503].some(isRefused)).toBe(false)
})

test('an answer is read in the form that we know, and is otherwise nothing', () => {
  const form = z.object({ code: z.string() })
  const read = (text: string) => readJson(form, Buffer.from(text))
  expect(read('{"code":"A","more":1}')).toEqual({ code: 'A' })
  expect(['{"code":1}', '[]', '', '<html>'].map(read)).toEqual(Array(4).fill(undefined))
})

test('a code is the same with zeros and spaces before it', () => {
  expect(['00', ' 05', '000', 'FF', '', '100'].map(withoutZeros)).toEqual(['0', '5', '0', 'FF', '', '100'])
})
