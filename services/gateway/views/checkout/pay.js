// The page works without this, but for sealing a card: then it offers what else there is.
const FIRST_ASK_MS = 2000
const MOST_ASK_MS = 30000
// So a wait is a twentieth of the time that has passed, and two seconds.
const ASK_GROWTH = 1.05

// Seals a card to the vault's public key: a compact JWE (RFC 7516), RSA-OAEP-256 and A256GCM, by WebCrypto.
const utf8 = new TextEncoder()

function base64url(bytes) {
  const text = Array.from(new Uint8Array(bytes), (byte) => String.fromCharCode(byte)).join('')
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

async function seal(card, { kty, n, e, kid }, claims) {
  const { subtle } = crypto
  const oaep = { name: 'RSA-OAEP', hash: 'SHA-256' }
  const publicKey = await subtle.importKey('jwk', { kty, n, e }, oaep, false, ['wrapKey'])
  const contentKey = await subtle.generateKey({ name: 'AES-GCM', length: 256 }, true, ['encrypt'])
  const wrapped = await subtle.wrapKey('raw', contentKey, publicKey, oaep)
  const iv = crypto.getRandomValues(new Uint8Array(12))
  const header = base64url(
    utf8.encode(JSON.stringify({ alg: 'RSA-OAEP-256', enc: 'A256GCM', kid, ...claims })),
  )
  const gcm = { name: 'AES-GCM', iv, additionalData: utf8.encode(header), tagLength: 128 }
  const sealed = await subtle.encrypt(gcm, contentKey, utf8.encode(JSON.stringify(card)))
  const [text, tag] = [sealed.slice(0, -16), sealed.slice(-16)]
  return [header, ...[wrapped, iv, text, tag].map(base64url)].join('.')
}

// What a typed card looks like, and what is wrong with it. No value of it leaves here but sealed.
const BRAND_NAMES = {
  VISA: 'Visa',
  MASTERCARD: 'Mastercard',
  AMEX: 'Amex',
  ELO: 'Elo',
  HIPERCARD: 'Hipercard',
  DINERS: 'Diners Club',
  DISCOVER: 'Discover',
  JCB: 'JCB',
}
const GROUPS = { AMEX: [4, 6, 5], DINERS: [4, 6, 4, 2] }

const digitsOf = (text) => text.replace(/\D/g, '')

// The first brand that has all numbers which begin with the digits.
function brandOf(digits, brands) {
  if (digits === '') return undefined
  const from = Number(digits.slice(0, 8).padEnd(8, '0'))
  const to = Number(digits.slice(0, 8).padEnd(8, '9'))
  const holds = ({ ranges }) => ranges.some(([first, last]) => first <= from && last >= to)
  return brands.find(holds)?.brand
}

function groupedNumber(digits, brand) {
  const sizes = GROUPS[brand] ?? [4, 4, 4, 4, 3]
  const groups = []
  let at = 0
  for (const size of sizes) {
    if (at >= digits.length) break
    groups.push(digits.slice(at, at + size))
    at += size
  }
  return groups.join(' ')
}

function passesLuhn(digits) {
  const doubled = [...digits].reverse().map((digit, at) => Number(digit) * (1 + (at % 2)))
  const sum = doubled.reduce((total, each) => total + (each > 9 ? each - 9 : each), 0)
  return sum % 10 === 0
}

// "08/30", "8/30", "08/2030"; undefined for what is none.
function expirationOf(text) {
  const [, month, year] = /^\s*(\d{1,2})\s*\/\s*(?:20)?(\d{2})\s*$/.exec(text) ?? []
  if (month === undefined || Number(month) < 1 || Number(month) > 12) return undefined
  return { year: 2000 + Number(year), month: Number(month) }
}

// A card is good through the last day of its month.
function isOver({ year, month }) {
  const now = new Date()
  return year < now.getFullYear() || (year === now.getFullYear() && month < now.getMonth() + 1)
}

// The name of what is to be said of each field; undefined: nothing.
const CHECKS = {
  number: (text) => {
    const digits = digitsOf(text)
    return digits.length >= 12 && digits.length <= 19 && passesLuhn(digits) ? undefined : 'number'
  },
  expiry: (text) => {
    const expiration = expirationOf(text)
    if (!expiration) return 'expiry'
    return isOver(expiration) ? 'expired' : undefined
  },
  cvv: (text, brand) => (digitsOf(text).length === (brand === 'AMEX' ? 4 : 3) ? undefined : 'cvv'),
  holder: (text) => (text.trim() === '' ? 'holder' : undefined),
}

function prepareCard(form) {
  const { dataset } = form
  const [brands, faults] = [dataset.brands, dataset.faults].map((text) => JSON.parse(text))
  const button = form.querySelector('button')
  const notice = document.getElementById('card-notice')
  const inputs = Object.fromEntries(
    Object.keys(CHECKS).map((name) => [name, document.getElementById(`card-${name}`)]),
  )
  const brand = () => brandOf(digitsOf(inputs.number.value), brands)
  const check = (name) => {
    const fault = CHECKS[name](inputs[name].value, brand())
    document.getElementById(`card-${name}-fault`).textContent = fault ? faults[fault] : ''
    if (fault) inputs[name].setAttribute('aria-invalid', 'true')
    else inputs[name].removeAttribute('aria-invalid')
    return fault === undefined
  }

  if (!globalThis.crypto?.subtle) return tell(notice, dataset.needsHttps)
  button.disabled = false
  const kept = keptChoice(inputs.holder, form.elements.installments)
  kept.restore()
  helpTyping(inputs, brand, check)
  // The field is not left by pressing the button: what is then said of it would move the button away.
  button.addEventListener('mousedown', (event) => event.preventDefault())
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (button.disabled) return
    const wrong = Object.keys(CHECKS).filter((name) => !check(name))
    if (wrong.length > 0) return inputs[wrong[0]].focus()
    const label = button.textContent
    notice.hidden = true
    button.disabled = true
    kept.keep()
    button.textContent = dataset.paying
    void sendSealed(form, inputs).catch(() => {
      button.disabled = false
      button.textContent = label
      tell(notice, dataset.noAnswer)
    })
  })
}

// What a payer need not type again after a decline. The number and the code of a card are never kept.
function keptChoice(holder, installments) {
  const key = `choice:${location.pathname}`
  // A browser may forbid the storage: then everything is typed again.
  const storage = attempt(() => sessionStorage)
  return {
    keep: () =>
      attempt(() => storage?.setItem(key, JSON.stringify({ name: holder.value, count: installments.value }))),
    restore: () => {
      const { name = '', count } = attempt(() => JSON.parse(storage?.getItem(key))) ?? {}
      attempt(() => storage?.removeItem(key))
      holder.value ||= name
      if ([...(installments.options ?? [])].some(({ value }) => value === count)) installments.value = count
    },
  }
}

function attempt(work) {
  try {
    return work()
  } catch {
    return undefined
  }
}

function helpTyping(inputs, brand, check) {
  const { number, expiry } = inputs
  for (const [name, input] of Object.entries(inputs)) {
    // Nobody is told of a fault in what they have not typed yet.
    input.addEventListener('blur', () => input.value.trim() !== '' && check(name))
    input.addEventListener('input', () => input.hasAttribute('aria-invalid') && check(name))
  }
  number.addEventListener('input', () => {
    document.getElementById('card-brand').textContent = BRAND_NAMES[brand()] ?? ''
    rewrite(number, groupedNumber(digitsOf(number.value).slice(0, 19), brand()))
  })
  expiry.addEventListener('input', (event) => {
    // What is deleted stays deleted, the slash too.
    if (event.inputType?.startsWith('delete')) return
    rewrite(expiry, withSlash(expiry.value, expiry.selectionStart === expiry.value.length))
  })
}

// An expiration with one slash, however it is typed, pasted or filled in: "8" becomes "08/", "0830" and "8 - 30" "08/30",
// "2030-08" "08/2030". Who corrects the month before the end of the text gets no zero and no slash.
function withSlash(typed, atEnd) {
  const text = typed.replace(/^\s*(20\d\d)\D+(\d\d?)\s*$/, '$2/$1')
  const [, first, between, rest] = /^\D*(\d*)(\D*)(.*)$/s.exec(text)
  const isParted = between !== '' && (rest !== '' || first.length <= 2)
  const lacksZero = atEnd && (isParted ? /^[1-9]$/ : /^[2-9]/).test(first)
  const digits = lacksZero ? `0${first}` : first
  const month = isParted ? digits : digits.slice(0, 2)
  const year = (isParted ? digitsOf(rest) : digits.slice(2)).slice(0, 4)
  const isMonth = isParted ? /[1-9]/.test(month) : atEnd && /^(0[1-9]|1[0-2])$/.test(month)
  return isMonth || year !== '' ? `${month}/${year}` : month
}

async function sendSealed(form, { number, expiry, cvv, holder }) {
  const { status, now, sellerId, invoiceId } = await ask(form.dataset.ask)
  if (status === 'PAID' || status === 'CONFIRMING') return location.reload()
  const card = {
    cardNumber: digitsOf(number.value),
    holder: { name: holder.value.trim() },
    expiration: expirationOf(expiry.value),
    cvv: digitsOf(cvv.value),
    iat: now,
    sellerId,
  }
  // The seal pays this invoice and no other.
  form.elements.encryptedCard.value = await seal(card, JSON.parse(form.dataset.key), { invoiceId })
  form.submit()
}

// The cursor stays behind the digit behind which it was, or behind what parts it from the next.
function rewrite(input, text) {
  if (input.value === text) return
  const before = input.value.slice(0, input.selectionStart)
  const atEnd = before === input.value
  input.value = text
  if (atEnd) return
  let at = 0
  for (let digits = digitsOf(before).length; digits > 0 && at < text.length; at += 1) {
    if (/\d/.test(text[at])) digits -= 1
  }
  if (/\D$/.test(before)) while (/\D/.test(text[at] ?? '0')) at += 1
  input.setSelectionRange(at, at)
}

function tell(notice, text) {
  notice.textContent = text
  notice.hidden = false
}

async function ask(url) {
  const answer = await fetch(url, { cache: 'no-store' })
  if (!answer.ok) throw new Error(`answered ${answer.status}`)
  return answer.json()
}

// While somebody else's answer is awaited: the page shows itself anew when there is one.
function watch({ waits, ask: url }) {
  let wait = FIRST_ASK_MS
  const look = async () => {
    if (!document.hidden) {
      const { status } = await ask(url).catch(() => ({ status: waits }))
      if (status !== waits) return location.reload()
      wait = Math.min(wait * ASK_GROWTH, MOST_ASK_MS)
    }
    clearTimeout(timer)
    timer = setTimeout(() => void look(), wait)
  }
  let timer = setTimeout(() => void look(), wait)
  // Who comes back from the bank's app has often paid there.
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) return
    clearTimeout(timer)
    wait = FIRST_ASK_MS
    void look()
  })
}

// Counts down to the end of a charge. The clock of this device may be wrong, but it measures time well.
function countDown(timer) {
  const end = performance.now() + Number(timer.dataset.left)
  const show = () => {
    const left = Math.max(0, Math.ceil((end - performance.now()) / 1000))
    const parts = [left / 3600, (left / 60) % 60, left % 60]
    timer.textContent = parts.map((part) => String(Math.floor(part)).padStart(2, '0')).join(':')
    if (left === 0) location.reload()
    else setTimeout(show, 1000)
  }
  show()
  timer.closest('[hidden]').hidden = false
}

for (const form of document.querySelectorAll('#card-form')) prepareCard(form)
for (const form of document.querySelectorAll('form[data-once]')) {
  form.addEventListener('submit', (event) => {
    const button = form.querySelector('button')
    if (button.disabled) return event.preventDefault()
    button.disabled = true
    button.textContent = form.dataset.once
  })
}
for (const main of document.querySelectorAll('main[data-waits]')) watch(main.dataset)
for (const timer of document.querySelectorAll('[data-left]')) countDown(timer)
for (const button of document.querySelectorAll('[data-copies]')) {
  button.hidden = !navigator.clipboard
  button.addEventListener('click', () => {
    const copied = navigator.clipboard.writeText(button.dataset.copies)
    void copied.then(() => (button.textContent = button.dataset.copied))
  })
}
for (const button of document.querySelectorAll('[data-print]')) {
  button.hidden = false
  button.addEventListener('click', () => print())
}
// What went wrong comes first to who hears the page.
document.querySelector('[aria-invalid], [data-focus]')?.focus()
// A page that comes back from the browser's memory may be of the past.
addEventListener('pageshow', (event) => event.persisted && location.reload())
