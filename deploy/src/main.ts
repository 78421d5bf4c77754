import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { stringify } from 'yaml'
import { generatedFiles } from './generated-files'
import { serviceAlertsTest } from './monitoring'

// node deploy/dist/main.js                      writes the files generated from the table of services
// node deploy/dist/main.js --alerts-test FILE   writes the test of the services' alert to FILE, for promtool
const root = join(__dirname, '../..')
const [option, file] = process.argv.slice(2)
if (option === '--alerts-test' && file) {
  writeFileSync(resolve(file), stringify(serviceAlertsTest(join(root, 'k8s/cofre/alerts/services.yaml'))))
} else {
  for (const [path, text] of Object.entries(generatedFiles(root))) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
    process.stdout.write(`${path}\n`)
  }
}
