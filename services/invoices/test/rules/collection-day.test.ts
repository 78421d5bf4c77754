import { BillingFrequency } from '@cofre/proto/invoices/v1/recurring'
import { isPixFrequency } from '../../src/pix/rules/permission'
import { collectionDay } from '../../src/recurring/rules/collection-day'

test.each([
  ['2055-02-20', '2055-02-09', { sendFrom: '2055-02-10' }],
  ['2055-02-20', '2055-02-10', { day: '2055-02-20' }],
  ['2055-02-20', '2055-02-18', { day: '2055-02-20' }],
  ['2055-02-20', '2055-02-19', { day: '2055-02-21' }],
  ['2055-02-20', '2055-02-20', { day: '2055-02-22' }],
  ['2055-03-05', '2055-02-23', { day: '2055-03-05' }],
])('an invoice that is due on %s is seen to on %s: %o', (dueDay, today, expected) => {
  expect(collectionDay(dueDay, today)).toEqual(expected)
})

test('Pix Automático has these frequencies', () => {
  const named = Object.keys(BillingFrequency).filter(isPixFrequency)
  expect(named).toEqual(['WEEKLY', 'MONTHLY', 'QUARTERLY', 'SEMIANNUALLY', 'YEARLY'])
})
