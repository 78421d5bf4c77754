// The portal leads here with a seller's id and the path of one resource, as `seller` and `at`. The commands then hold them:
// a command of another resource takes what its path shares. Without this script the variables stand.
const given = new URLSearchParams(location.search)
const PLAIN = /^[\w.:-]{1,64}$/
const seller = given.get('seller') ?? ''
const at = (given.get('at') ?? '').split('/')

function known(path) {
  const values = new Map()
  if (PLAIN.test(seller)) values.set('COFRE_SELLER', seller)
  for (const [place, part] of path.split('/').entries()) {
    const own = at[place] ?? ''
    if (!part.startsWith('{')) {
      if (part !== own) break
      continue
    }
    const name = part.slice(1, -1)
    if (/sellerId$/i.test(name)) continue
    if (!PLAIN.test(own)) break
    values.set(name.toUpperCase(), own)
  }
  return values
}

for (const command of document.querySelectorAll('[data-curl]')) {
  const values = known(command.dataset.path)
  const code = command.querySelector('code')
  code.textContent = code.textContent.replaceAll(/\$([A-Z_]+)/g, (all, name) => values.get(name) ?? all)
}
if (location.search) {
  for (const link of document.querySelectorAll('main a[href*="/reference"], .side a[href*="/reference"]')) {
    link.search = location.search
  }
}
