/**
 * Node's flags for every program: `npm start` reads them here, and a test compares those of the images, which the chart
 * runs. Node sizes the young generation by the memory that it sees. With a heap of 256 MiB, which a pod with 512 MiB
 * gets, it is 2 MiB: collecting it so often cost a loop of JSON a third of its processor time. 32 MiB is what Node 24 takes
 * by itself where memory is plenty; Node 20 takes 16.
 */
export const NODE_FLAGS = ['--enable-source-maps', '--max-semi-space-size=32'] as const
