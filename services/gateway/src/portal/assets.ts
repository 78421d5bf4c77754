import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Router } from 'express'
import { VIEWS_DIR } from './pages'

/** What browsers ask for, the type of it, and the files that it is made of, in order. */
const ASSETS = [
  {
    path: '/style.css',
    type: 'css',
    files: ['colours.css', 'frame.css', 'text.css', 'lists.css', 'forms.css', 'small-screens.css'],
  },
  { path: '/copy.js', type: 'js', files: ['copy.js'] },
  { path: '/icon.svg', type: 'svg', files: ['icon.svg'] },
]

/** `version` changes with any of them: pages ask with it in the query, so that they may be kept for long. */
export function readAssets(): { version: string; routes: Router } {
  const hash = createHash('sha256')
  const routes = Router()
  for (const { path, type, files } of ASSETS) {
    const text = files.map((file) => readFileSync(join(VIEWS_DIR, file), 'utf8')).join('\n')
    hash.update(text)
    routes.get(path, (_req, res) => {
      res.set('Cache-Control', 'public, max-age=31536000, immutable').type(type).send(text)
    })
  }
  return { version: hash.digest('hex').slice(0, 12), routes }
}
