import { readAssets, type Asset } from '../pages/assets'
import { VIEWS_DIR } from './pages'

const ASSETS: readonly Asset[] = [
  {
    path: '/style.css',
    type: 'css',
    files: [
      'colours.css',
      'frame.css',
      'text.css',
      'lists.css',
      'forms.css',
      'sums.css',
      'home.css',
      'small-screens.css',
      'print.css',
    ],
  },
  { path: '/theme.js', type: 'js', files: ['theme.js'] },
  { path: '/sums.js', type: 'js', files: ['sums.js'] },
  { path: '/copy.js', type: 'js', files: ['copy.js', 'keys.js'] },
  { path: '/icon.svg', type: 'svg', files: ['icon.svg'] },
]

export function portalAssets() {
  return readAssets(VIEWS_DIR, ASSETS)
}
