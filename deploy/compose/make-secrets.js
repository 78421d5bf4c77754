// Makes the missing certificates and keys, once; nothing that exists is replaced. Each program has its own volume under
// /secrets, so that none can read another's. It runs in a product image, at the path that it has here.
const { randomBytes } = require('node:crypto')
const { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, writeFileSync } = require('node:fs')
const { SERVICE_NAMES, services } = require('../../packages/platform/dist/service/services.js')
const { createAuthority } = require('../../packages/testing/dist/certificates.js')

const USER = 10_001
const PROGRAMS = [...SERVICE_NAMES, 'cofrectl', 'sandbox']

function secret() {
  return `${randomBytes(32).toString('base64')}\n`
}

function keep(path, text, user) {
  if (existsSync(path)) return
  writeFileSync(path, text, { mode: 0o400 })
  chownSync(path, user, user)
}

async function main(folder) {
  mkdirSync(`${folder}/authority`, { recursive: true })
  const [certFile, keyFile] = [`${folder}/authority/ca.crt`, `${folder}/authority/ca.key`]
  const kept = existsSync(keyFile)
    ? { cert: readFileSync(certFile, 'utf8'), key: readFileSync(keyFile, 'utf8') }
    : undefined
  const authority = await createAuthority(kept)
  keep(certFile, authority.pair.cert, 0)
  keep(keyFile, authority.pair.key, 0)
  for (const name of PROGRAMS) {
    const own = `${folder}/${name}`
    mkdirSync(own, { recursive: true })
    chownSync(own, USER, USER)
    chmodSync(own, 0o500)
    keep(`${own}/ca.crt`, authority.pair.cert, USER)
    if (!existsSync(`${own}/tls.key`)) {
      const { cert, key } = await authority.issue(name)
      keep(`${own}/tls.crt`, cert, USER)
      keep(`${own}/tls.key`, key, USER)
    }
    const { seals, fingerprints } = services[name] ?? {}
    if (seals) keep(`${own}/${seals.entry}`, seals.named ? `compose-1:${secret()}` : secret(), USER)
    if (fingerprints) keep(`${own}/${fingerprints.entry}`, `compose-1:${secret()}`, USER)
  }
}

main(process.argv[2] ?? '/secrets').catch((error) => {
  process.stderr.write(`${error.stack}\n`)
  process.exit(1)
})
