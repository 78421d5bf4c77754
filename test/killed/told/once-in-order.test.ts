import { onceInOrder } from './once-in-order'

const told = (...sequences: number[]) =>
  sequences.map((sequence) => ({ sequence, webhookId: `evt_${sequence}`, body: `{"sequence":${sequence}}` }))

test.each([[[]], [[1, 2, 3]], [[1, 1, 2]], [[1, 2, 1, 2, 3]], [[1, 2, 3, 2, 3]]])(
  'messages that came as %j are one event each, in order',
  (came) => {
    expect(onceInOrder(told(...came))).toEqual(told(...new Set(came)))
  },
)

test.each([[[2, 1]], [[1, 3, 2]], [[0, 1]], [[1, 2, 3, 1]], [[1, 2, 1, 3]], [[1, 2, 3, 1, 3]]])(
  'messages that came as %j are a breach',
  (came) => expect(() => onceInOrder(told(...came))).toThrow(`its events came as ${came.join(' ')}`),
)

test.each([{ webhookId: 'evt_other' }, { body: '{}' }])(
  'an event that came again with %j is a breach',
  (change) => {
    const [first] = told(1)
    expect(() => onceInOrder([first!, { ...first!, ...change }])).toThrow('event 1 was told in two ways')
  },
)
