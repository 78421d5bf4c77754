import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { NODE_FLAGS } from '../../src/service/node-flags'

const ROOT = join(__dirname, '../../../..')

test('the images run with the flags that `npm start` uses', () => {
  const [, entrypoint = ''] = /^ENTRYPOINT (.*)$/m.exec(readFileSync(join(ROOT, 'Dockerfile'), 'utf8')) ?? []
  expect(JSON.parse(entrypoint)).toEqual(['node', ...NODE_FLAGS, '/app/main.js'])
})
