import { join } from 'node:path'

const ROOT = join(__dirname, '../..')

/** The folder of downloaded programs, and of the data of `npm run engines`. COFRE_ENGINES_DIR moves it. */
export const ENGINES_DIR = process.env['COFRE_ENGINES_DIR'] ?? join(ROOT, '.run', 'engines')
