import { readAssets, type Asset } from '../pages/assets'
import { VIEWS_DIR } from './pages'

const ASSETS: readonly Asset[] = [
  {
    path: '/style.css',
    type: 'css',
    files: ['colours.css', 'frame.css', 'text.css', 'lists.css', 'forms.css', 'small-screens.css'],
  },
  { path: '/copy.js', type: 'js', files: ['copy.js'] },
  { path: '/icon.svg', type: 'svg', files: ['icon.svg'] },
]

export function portalAssets() {
  return readAssets(VIEWS_DIR, ASSETS)
}
