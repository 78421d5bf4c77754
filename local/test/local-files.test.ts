import { X509Certificate } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAuthority } from '@cofre/testing/certificates'
import { readKey } from '@cofre/platform/secret-box'
import { CERTIFICATE_NAMES, certificateFiles, makeCertificates } from '../src/certificates'
import { keyFile, makeKeys } from '../src/keys'
import { makeFolders, runFolder, type RunFolder } from '../src/run-folder'

let run: RunFolder
beforeEach(() => {
  run = runFolder(mkdtempSync(join(tmpdir(), 'files-')))
  makeFolders(run)
})
afterEach(() => rmSync(run.dir, { recursive: true }))

const read = (name: string) => readFileSync(certificateFiles(run, name).certFile, 'utf8')

test('every program gets a certificate from one authority, and keeps it', async () => {
  await makeCertificates(run)
  const authority = new X509Certificate(read('authority'))
  const first = CERTIFICATE_NAMES.map(read)
  for (const [at, text] of first.entries()) {
    const certificate = new X509Certificate(text)
    expect(certificate.verify(authority.publicKey)).toBe(true)
    expect(certificate.subjectAltName).toContain(`DNS:${CERTIFICATE_NAMES[at]}, DNS:localhost`)
  }
  await makeCertificates(run)
  expect(CERTIFICATE_NAMES.map(read)).toEqual(first)
})

test('a certificate that expires soon, or whose key is lost, is replaced; the others stay', async () => {
  await makeCertificates(run)
  const files = certificateFiles(run, 'authority')
  const pair = { cert: readFileSync(files.certFile, 'utf8'), key: readFileSync(files.keyFile, 'utf8') }
  const soon = await (await createAuthority(pair)).issue('vault', { days: 10 })
  writeFileSync(certificateFiles(run, 'vault').certFile, soon.cert)
  writeFileSync(certificateFiles(run, 'vault').keyFile, soon.key)
  rmSync(certificateFiles(run, 'orders').keyFile)
  const before = { vault: read('vault'), orders: read('orders'), gateway: read('gateway') }
  await makeCertificates(run)
  expect(read('vault')).not.toBe(before.vault)
  expect(read('orders')).not.toBe(before.orders)
  expect(read('gateway')).toBe(before.gateway)
})

test('keys are made once, with 32 bytes each, readable by the owner alone', () => {
  const files = makeKeys(run)
  const texts = files.map((path) => readFileSync(path, 'utf8'))
  expect(files).toContain(keyFile(run, 'vault', 'key-encryption-keys'))
  expect(files).toContain(keyFile(run, 'gateway', 'fingerprint-keys'))
  expect(new Set(texts).size).toBe(files.length)
  for (const text of texts) expect(readKey(text.replace(/^(.*:|whsec_)/, ''))).toHaveLength(32)
  for (const path of files) expect(statSync(path).mode & 0o777).toBe(0o600)
  makeKeys(run)
  expect(files.map((path) => readFileSync(path, 'utf8'))).toEqual(texts)
})
