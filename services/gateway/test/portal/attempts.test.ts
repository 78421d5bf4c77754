import { countAttempts } from '../../src/portal/attempts'

const OFFICE = '203.0.113.7'
const MANY = 200

test('tries of a locked-out account do not use up what others have at the same address', () => {
  const attempts = countAttempts()
  for (let guess = 0; guess < 5; guess++) expect(attempts.begin('ana@example.com', OFFICE)).toBeUndefined()
  for (let guess = 0; guess < MANY; guess++) {
    expect(attempts.begin('ana@example.com', OFFICE)).toMatchObject({ status: 429 })
  }
  expect(attempts.begin('rui@example.com', OFFICE)).toBeUndefined()
})

test('an account that is locked everywhere uses up nothing of the addresses that try it', () => {
  const attempts = countAttempts()
  for (let address = 0; address < 12; address++) {
    for (let guess = 0; guess < 5; guess++) attempts.begin('ana@example.com', `198.51.100.${address}`)
  }
  for (let guess = 0; guess < MANY; guess++) {
    expect(attempts.begin('ana@example.com', OFFICE)).toMatchObject({ status: 429 })
  }
  expect(attempts.begin('rui@example.com', OFFICE)).toBeUndefined()
})

test('an address that guesses at many accounts is locked out, and uses up nothing of further accounts', () => {
  const attempts = countAttempts()
  for (let guess = 0; guess < 30; guess++) attempts.begin(`guess.${guess}@example.com`, OFFICE)
  for (let guess = 0; guess < MANY; guess++) {
    expect(attempts.begin('ana@example.com', OFFICE)).toMatchObject({ status: 429 })
  }
  expect(attempts.begin('ana@example.com', '198.51.100.1')).toBeUndefined()
})
