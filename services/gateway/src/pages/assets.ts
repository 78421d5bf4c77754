import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Router } from 'express'
import { fixedAnswer } from './fixed-answer'

/** A path that browsers request, its type, and the files of a folder that make it up, in order. */
export type Asset = { path: string; type: 'css' | 'js' | 'svg'; files: readonly string[] }

const CONTENT_TYPES: Record<Asset['type'], string> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
}
const KEPT = 'public, max-age=31536000, immutable'

/**
 * `version` changes with any asset. Pages put it in the query of their assets, so that browsers may keep these for
 * long. `integrity`: by path, the hash that a browser checks before it takes an asset (W3C Subresource Integrity).
 */
export function readAssets(folder: string, assets: readonly Asset[]) {
  const hash = createHash('sha256')
  const routes = Router()
  const integrity: Record<string, string> = {}
  for (const { path, type, files } of assets) {
    const text = files.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n')
    hash.update(text)
    integrity[path] = `sha384-${createHash('sha384').update(text).digest('base64')}`
    const answer = fixedAnswer(Buffer.from(text), CONTENT_TYPES[type])
    // While replicas of two versions serve, an asset may be asked for that this one does not have: nobody keeps its own.
    routes.get(path, ({ query }, res) => answer(res, query['v'] === version ? KEPT : undefined))
  }
  const version = hash.digest('hex').slice(0, 12)
  return { version, integrity, routes }
}
